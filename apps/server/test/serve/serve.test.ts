import { connect } from "node:net";
import pg from "pg";
import { startRedis } from "test-kit/servers/redis-server";
import { afterEach, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { serve } from "../../src/serve/serve.ts";
import { createTestDatabase } from "../support/database.ts";
import { MANAGEMENT_KEY, testEnvironment } from "../support/environment.ts";
import { keepLog } from "../support/log.ts";
import { createWorld, type World } from "../support/world.ts";

describe("the service", () => {
	let world: World | undefined;
	afterEach(async () => {
		await world?.close();
		world = undefined;
	});

	it("serves two tenants, with the tenant of each request in the log", async () => {
		world = await createWorld();
		const service = await world.start();
		const [acme, globex] = [await service.createTenant("acme"), await service.createTenant("globex")];
		expect((await service.signUp(acme, "ada@example.com")).status).toBe(200);
		expect((await service.signIn(acme, "ada@example.com")).status).toBe(200);
		expect((await service.signIn(globex, "ada@example.com")).status).toBe(401);
		expect((await service.post("/sign-in/email", { email: "ada@example.com", password: "x".repeat(10) })).status).toBe(
			401,
		);
		await expect.poll(() => world?.log.requests()).toHaveLength(6);
		expect(world.log.requests().map(({ route, status, tenantId }) => [route, status, tenantId])).toEqual([
			["/tenant/create", 200, "platform"],
			["/tenant/create", 200, "platform"],
			["/tenant/sign-up/email", 200, acme],
			["/tenant/sign-in/email", 200, acme],
			["/tenant/sign-in/email", 401, globex],
			["/sign-in/email", 401, "platform"],
		]);
	});

	it("logs no secrets", async () => {
		world = await createWorld();
		const service = await world.start();
		const acme = await service.createTenant("acme");
		const password = "canary-password-1";
		const cookies = (await service.signUp(acme, "ada@example.com", password)).headers.getSetCookie();
		await service.signIn(acme, "ada@example.com", "canary-password-2");
		const cookie = cookies.map((one) => one.split(";")[0]).join("; ");
		await service.call("/api/auth/get-session", { headers: { cookie, authorization: "Bearer canary-bearer" } });
		await service.call("/api/auth/reset-password/canary-token?callbackURL=/canary-page");
		await service.call("/api/auth/verify-email?token=canary-token");
		await service.post("/tenant/sign-in/email", { tenantId: "canary-tenant", email: 1, password: ["canary"] });
		await expect.poll(() => world?.log.requests()).toHaveLength(7);
		expect(world.log.text()).not.toContain("canary");
		expect(world.log.text()).not.toContain(MANAGEMENT_KEY);
		for (const one of cookies) expect(world.log.text()).not.toContain(one.split(/[=;]/)[1]?.slice(0, 20));
	});

	it("starts on tables that are expanded but not contracted, and is registered until it stops", async () => {
		world = await createWorld();
		const client = new pg.Client({ connectionString: world.database.url });
		await client.connect();
		try {
			await client.query('alter table "user" alter column "emailVerified" drop not null');
			const service = await world.start();
			const acme = await service.createTenant("acme");
			expect((await service.signUp(acme, "ada@example.com")).status).toBe(200);
			expect(world.log.text()).toContain("run migrate --contract");
			expect((await client.query('select "schema" from "serviceProcess"')).rows).toHaveLength(1);
			await service.close();
			expect((await client.query('select "schema" from "serviceProcess"')).rows).toEqual([]);
		} finally {
			await client.end();
		}
	});

	it("does not start without its tables, and says what is missing and how to fix it", async () => {
		const database = await createTestDatabase();
		const config = readConfig(testEnvironment(database.url));
		await expect(serve(config, keepLog())).rejects.toThrow(/Table user is missing[\s\S]*migrate/i);
		// everything is closed
		await expect.poll(() => connectionsTo(database.url)).toBe(0);
		await database.drop();
	});

	it("does not start without its database, says how to fix it, and closes what it has opened", async () => {
		const down = readConfig(testEnvironment("postgres://postgres@127.0.0.1:1/auth"));
		await expect(serve(down, keepLog())).rejects.toThrow(/PostgreSQL.*ECONNREFUSED.*DATABASE_URL/s);

		const database = await createTestDatabase();
		const redis = await startRedis({ password: "right" });
		const REDIS_URL = redis.url.replace("right", "wrong");
		const refused = readConfig(testEnvironment(database.url, { REDIS_URL }));
		await expect(serve(refused, keepLog())).rejects.toThrow(/Redis refuses.*REDIS_URL/s);
		await redis.close();
		await expect.poll(() => connectionsTo(database.url)).toBe(0);
		await database.drop();
	});

	it("does not start on a port in use, and closes everything", async () => {
		world = await createWorld();
		const service = await world.start();
		const taken = { http: { ...world.config.http, port: service.port } };
		await expect(world.start(taken)).rejects.toThrow(/EADDRINUSE.*HOST and PORT/);
		expect((await service.call("/livez")).status).toBe(200);
	});

	it("serves metrics on a separate port only", async () => {
		world = await createWorld({
			environment: { TENANT_RESOLVER: "path" },
			adjust: (config) => ({
				...config,
				observe: { ...config.observe, metrics: { host: "127.0.0.1", port: 0 } },
			}),
		});
		const service = await world.start();
		const acme = await service.createTenant("acme");
		await service.signUp(acme, "ada@example.com");
		await service.signIn(acme, "ada@example.com");
		await service.signIn(acme, "ada@example.com", "wrong password");
		await service.call("/t/acme/api/auth/get-session");
		await service.call("/t/acme/api/auth/get-session");
		const answer = await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`);
		const text = await answer.text();
		expect(answer.headers.get("content-type")).toContain("text/plain");
		expect(text).toContain('http_requests_total{method="POST",route="/tenant/sign-in/email",status="2xx"} 1');
		expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/get-session"} 2');
		expect(text).toContain('sign_ins_total{method="email",outcome="success"} 1');
		expect(text).toContain('sign_ins_total{method="email",outcome="refused"} 1');
		expect(text).toMatch(/database_pool_connections\{state="total"\} [1-9]/);
		expect(text).toContain('tenant_cache_total{result="hit"} 3');
		expect(text).toContain("nodejs_eventloop_lag_seconds");
		expect(text).not.toContain(acme);
		expect((await service.call("/metrics")).status).toBe(404);
		expect((await fetch(`http://127.0.0.1:${service.metricsPort}/`)).status).toBe(404);
	});

	it("serves probes on that port until the shutdown is complete", async () => {
		world = await createWorld({
			environment: { SHUTDOWN_DELAY: "1" },
			adjust: (config) => ({
				...config,
				observe: { ...config.observe, metrics: { host: "127.0.0.1", port: 0 } },
			}),
		});
		const service = await world.start();
		const read = async (answer: Response) => ({ status: answer.status, json: await answer.json() });
		const ask = async (path: string) => read(await fetch(`http://127.0.0.1:${service.metricsPort}${path}`));
		for (const path of ["/livez", "/readyz"]) {
			expect((await ask(path)).status).toBe(200);
			// the public need not see whether the database responds
			expect((await service.call(path)).status).toBe(404);
		}
		const closing = service.close();
		expect(await ask("/readyz")).toEqual({
			status: 503,
			json: { status: "unavailable", checks: { shutdown: "closing" } },
		});
		expect((await ask("/livez")).status).toBe(200);
		await closing;
		await expect(ask("/livez")).rejects.toThrow();
	});

	it("uses the socket's address for rate limits, regardless of headers", async () => {
		world = await createWorld({
			environment: { RATE_LIMIT: "true", SIGN_IN_RATE_LIMIT_WINDOW: "600", SIGN_IN_RATE_LIMIT_MAX: "3" },
		});
		const service = await world.start();
		const statuses = [];
		for (let attempt = 0; attempt < 6; attempt += 1) {
			const forged = `203.0.113.${attempt}`;
			const answer = await service.post(
				"/sign-in/email",
				{ email: "ada@example.com", password: "wrong password" },
				{ "x-forwarded-for": forged, "x-real-ip": forged, "x-client-address": forged, forwarded: `for=${forged}` },
			);
			statuses.push(answer.status);
		}
		expect(statuses).toContain(429);
	});

	it("counts requests per user and per tenant separately for each tenant", async () => {
		world = await createWorld({
			environment: {
				RATE_LIMIT: "true",
				RATE_LIMIT_WINDOW: "600",
				// one address may use a quarter of each limit
				USER_RATE_LIMIT_MAX: "8",
				TENANT_RATE_LIMIT_MAX: "16",
			},
		});
		const service = await world.start();
		const [acme, globex] = [await service.createTenant("acme"), await service.createTenant("globex")];
		const outcome = async (answer: Response) =>
			`${answer.status} ${((await answer.json()) as { code?: string })?.code}`;
		const tried = [];
		for (let attempt = 0; attempt < 3; attempt += 1)
			tried.push(await outcome(await service.signIn(acme, "ada@example.com", "wrong password")));
		expect(tried).toEqual(["401 INVALID_EMAIL_OR_PASSWORD", "401 INVALID_EMAIL_OR_PASSWORD", "429 TOO_MANY_REQUESTS"]);
		const look = (tenant: string) =>
			service.call("/api/auth/get-session", { headers: { "x-tenant-id": tenant } }).then(outcome);
		expect([await look(acme), await look(acme)]).toEqual(["200 undefined", "429 TOO_MANY_REQUESTS"]);
		expect(await look(globex)).toBe("200 undefined");
	});

	it("counts unhandled rejections, and keeps running", async () => {
		world = await createWorld();
		const service = await world.start();
		void Promise.reject(new Error("unhandled"));
		await expect
			.poll(() => world?.log.lines().find(({ msg }) => msg === "unhandled rejection"))
			.toMatchObject({ err: { message: "unhandled" } });
		expect((await service.call("/livez")).status).toBe(200);
	});

	it("closes once for repeated calls, and releases its port and connections", async () => {
		world = await createWorld();
		const service = await world.start();
		await Promise.all([service.close(), service.close()]);
		await service.close();
		expect(world.log.lines().filter(({ msg }) => msg === "closed")).toHaveLength(1);
		await expect(
			new Promise((resolve, reject) =>
				connect(service.port, "127.0.0.1").once("connect", resolve).once("error", reject),
			),
		).rejects.toThrow("ECONNREFUSED");
		await expect.poll(() => connectionsTo(world?.database.url ?? "")).toBe(0);
	});
});

const connectionsTo = async (url: string): Promise<number> => {
	const client = new pg.Client({ connectionString: url.replace(/[^/]+$/, "postgres") });
	await client.connect();
	const { rows } = await client.query("select count(*)::int as count from pg_stat_activity where datname = $1", [
		url.split("/").at(-1),
	]);
	await client.end();
	return rows[0].count;
};
