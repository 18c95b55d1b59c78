import { Redis } from "ioredis";
import { startPostgres } from "test-kit/servers/postgres-server";
import { startRedis } from "test-kit/servers/redis-server";
import { startSmtp } from "test-kit/servers/smtp";
import { afterEach, expect, it, vi } from "vitest";
import { migrate } from "../../src/schema/migrate.ts";
import { cookieHeader, makeWorld, openProcess, PASSWORD } from "./world.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
}, 60_000);

type Calls = Pick<ReturnType<typeof openProcess>, "call" | "signIn" | "signUp">;

/** Everything that needs the store, with the responses allowed while it is down. */
const requests = ({ call, signIn, signUp }: Calls, tenantId: string, cookie: string) => ({
	session: () => call("/get-session", { headers: { cookie } }),
	"sign-in": () => signIn(tenantId, "ada@example.com"),
	"sign-up": () => signUp(tenantId, "bo@example.com"),
	"sign-out": () => call("/sign-out", { headers: { cookie, origin: "http://auth.example.com" }, body: {} }),
	// the tenant's name is cached for a moment; another tenant's is not
	methods: () => call(`/tenant/methods?tenantId=${"x".repeat(10)}`),
});

const expectComeAgain = async (name: string, request: () => ReturnType<Calls["call"]>) => {
	const { status, json, headers, cookies } = await request();
	expect({ name, status, code: json.code }).toEqual({ name, status: 503, code: "STORE_UNAVAILABLE" });
	expect(headers.get("retry-after")).toBe("1");
	// users stay signed in
	expect(cookies).toEqual([]);
};

const ORIGIN = "http://auth.example.com";

/** What a user does, from the first sign-up to the last sign-out, with the status of each. */
const dayOf = async ({ call, signIn, signUp }: Calls, tenantId: string, email: string) => {
	const seen: Record<string, number> = {};
	const step = async (name: string, request: ReturnType<Calls["call"]>) => {
		const response = await request;
		seen[name] = response.status;
		return response;
	};
	const headersOf = ({ cookies }: Awaited<ReturnType<Calls["call"]>>) => ({
		cookie: cookieHeader(cookies),
		origin: ORIGIN,
	});
	const first = headersOf(await step("sign-up", signUp(tenantId, email)));
	const second = headersOf(await step("sign-in", signIn(tenantId, email)));
	const check = (headers: Record<string, string>) => call("/get-session", { headers });
	expect((await step("check", check(second))).json.user).toMatchObject({ email });
	// from a copy, if there is one
	expect((await check(second)).json.user).toMatchObject({ email });
	await step("list", call("/list-sessions", { headers: second }));
	await step("rename", call("/update-user", { headers: second, body: { name: "Grace" } }));
	expect((await check(second)).json.user).toMatchObject({ name: "Grace" });
	const body = { currentPassword: PASSWORD, newPassword: "another horse battery", revokeOtherSessions: true };
	const third = headersOf(await step("password", call("/change-password", { headers: second, body })));
	for (const ended of [first, second]) expect((await check(ended)).text).toBe("null");
	expect((await check(third)).json.user).toMatchObject({ email });
	await step(
		"mailed link",
		call("/request-password-reset", { headers: { origin: ORIGIN, "x-tenant-id": tenantId }, body: { email } }),
	);
	await step("sign-out", call("/sign-out", { headers: third, body: {} }));
	expect((await check(third)).text).toBe("null");
	return seen;
};

const FAULTS: Record<string, (server: Awaited<ReturnType<typeof startRedis>>) => Promise<() => unknown>> = {
	stopped: async (server) => {
		await server.stop();
		return () => server.start();
	},
	frozen: async (server) => {
		server.freeze();
		return () => server.thaw();
	},
	full: (server) => configured(server.url, "maxmemory", "1", "0"),
	"without its replicas": (server) => configured(server.url, "min-replicas-to-write", "1", "0"),
};

const configured = async (url: string, name: string, value: string, before: string) => {
	const client = new Redis(url);
	await client.config("SET", name, value);
	return async () => {
		await client.config("SET", name, before);
		client.disconnect();
	};
};

// threat 177
it.each(Object.keys(FAULTS))(
	"answers everything while Redis is %s as it does with Redis",
	async (how) => {
		const redis = await startRedis();
		closers.push(redis.close);
		const smtp = await startSmtp();
		closers.push(smtp.close);
		const world = await makeWorld({
			REDIS_URL: redis.url,
			REDIS_TIMEOUT: "100",
			SMTP_URL: smtp.url,
			MAIL_FROM: "a@example.com",
			REQUIRE_EMAIL_VERIFICATION: "false",
		});
		closers.push(world.close);
		const limited = world.open({
			RATE_LIMIT: "true",
			SIGN_IN_RATE_LIMIT_MAX: "1000",
			MAIL_RATE_LIMIT_MAX: "1000",
			RATE_LIMIT_MAX: "1000",
		});
		const before = await dayOf(world, world.acme.id, "ada@example.com");
		expect(new Set(Object.values(before))).toEqual(new Set([200]));

		const end = await FAULTS[how]?.(redis);
		const console_ = vi.spyOn(console, "error");
		expect(await dayOf(world, world.acme.id, "bo@example.com")).toEqual(before);
		// requests are counted meanwhile
		expect(await dayOf(limited, world.globex.id, "bo@example.com")).toEqual(before);
		expect(console_).not.toHaveBeenCalled();

		await end?.();
		expect(await dayOf(world, world.acme.id, "cy@example.com")).toEqual(before);
	},
	90_000,
);

it("returns 503 while the database is down, and recovers afterwards", async () => {
	const server = await startPostgres();
	closers.push(server.close);
	const process = openProcess({ DATABASE_URL: server.url, DATABASE_CONNECT_TIMEOUT: "1", TENANT_CACHE_MAX_AGE: "0" });
	closers.push(process.close);
	await migrate(process.auth, process.pool, () => {});
	const { id } = await process.auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
	const cookie = cookieHeader((await process.signUp(id, "ada@example.com")).cookies);

	await server.end("immediate");
	for (const [name, request] of Object.entries(requests(process, id, cookie))) await expectComeAgain(name, request);
	await server.start();
	expect((await process.call("/get-session", { headers: { cookie } })).json.session).toMatchObject({ tenantId: id });
}, 60_000);

it("returns 503 if a resolver cannot look up the host", async () => {
	const server = await startPostgres();
	closers.push(server.close);
	const process = openProcess({
		DATABASE_URL: server.url,
		DATABASE_CONNECT_TIMEOUT: "1",
		TENANT_RESOLVER: "subdomain",
		TENANT_DOMAIN: "app.example.com",
	});
	closers.push(process.close);
	await process.auth.$context;
	await server.end("immediate");
	const { status, json } = await process.call("/ok", { host: "acme.app.example.com" });
	expect([status, json.code]).toEqual([503, "STORE_UNAVAILABLE"]);
}, 60_000);

it("returns 500 and a code for an internal error, logs it, and prints nothing", async () => {
	const world = await makeWorld();
	closers.push(world.close);
	await world.pool.query(`alter table account rename column password to secret`);
	const console_ = vi.spyOn(console, "error");
	const { status, json } = await world.signUp(world.acme.id, "ada@example.com");
	expect([status, json]).toEqual([500, { code: "INTERNAL_SERVER_ERROR" }]);
	expect(world.lines.join("")).toContain("request failed");
	expect(world.lines.join("")).not.toMatch(/ada@example\.com|correct horse/);
	expect(console_).not.toHaveBeenCalled();
});
