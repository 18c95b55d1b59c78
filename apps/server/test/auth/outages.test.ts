import { startPostgres } from "test-kit/servers/postgres-server";
import { startRedis } from "test-kit/servers/redis-server";
import { afterEach, expect, it, vi } from "vitest";
import { migrate } from "../../src/schema/migrate.ts";
import { cookieHeader, makeWorld, openProcess } from "./world.ts";

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

/** Expects a new session that is found, also without Redis. */
const expectSession = async (
	{ call }: Calls,
	tenantId: string,
	{ status, cookies }: Awaited<ReturnType<Calls["call"]>>,
) => {
	expect(status).toBe(200);
	const { json } = await call("/get-session", { headers: { cookie: cookieHeader(cookies) } });
	expect(json.session).toMatchObject({ tenantId });
};

it.each(["stopped", "frozen"])(
	"checks sessions while Redis is %s, returns 503 to what it needs Redis for, and recovers afterwards",
	async (how) => {
		const redis = await startRedis();
		closers.push(redis.close);
		const world = await makeWorld({ REDIS_URL: redis.url });
		closers.push(world.close);
		const limited = world.open({ RATE_LIMIT: "true" });
		await limited.auth.$context;
		const cookie = cookieHeader((await world.signUp(world.acme.id, "ada@example.com")).cookies);
		const console_ = vi.spyOn(console, "error");

		if (how === "stopped") await redis.stop();
		else redis.freeze();
		const { session, "sign-in": signIn, "sign-up": signUp } = requests(world, world.acme.id, cookie);
		await expectComeAgain("sign-in", signIn);
		// Better Auth 1.7.7 needs Redis for it, 1.7.22 stores the session in the database first
		const { version } = await world.auth.$context;
		if (version === "1.7.7") await expectComeAgain("sign-up", signUp);
		else await expectSession(world, world.acme.id, await signUp());
		// with and without rate limits, which are counted in the process meanwhile
		const inLimits = requests(limited, world.acme.id, cookie);
		const signUpInLimits = () => limited.signUp(world.acme.id, "cy@example.com");
		for (const request of [session, inLimits.session]) {
			const { status, json } = await request();
			expect({ status, json }).toMatchObject({ status: 200, json: { session: { tenantId: world.acme.id } } });
		}
		for (const name of ["sign-in", "sign-out"] as const) await expectComeAgain(name, inLimits[name]);
		if (version === "1.7.7") await expectComeAgain("sign-up", signUpInLimits);
		else await expectSession(limited, world.acme.id, await signUpInLimits());
		expect((await inLimits.methods()).status).toBe(200);
		expect(console_).not.toHaveBeenCalled();

		if (how === "stopped") await redis.start();
		else redis.thaw();
		await expect.poll(async () => (await signIn()).status, { timeout: 20_000 }).toBe(200);
		// Redis came back empty, but the session still exists
		expect((await session()).json.session).toMatchObject({ tenantId: world.acme.id });
		// a request that got 503 left nothing behind
		expect((await signUp()).status).toBe(version === "1.7.7" ? 200 : 422);
	},
	60_000,
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
