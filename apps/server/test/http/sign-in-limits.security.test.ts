import { expect, it, onTestFinished } from "vitest";
import { createWorld } from "../support/world.ts";

const PASSWORD = "correct horse battery";
/** The tests say who calls, as a proxy would. */
const PROXIED = { RATE_LIMIT: "true", TRUSTED_PROXIES: "127.0.0.1" };
/** So long that a slow machine stays within one window. */
const LONG = { SIGN_IN_RATE_LIMIT_WINDOW: "600", MAIL_RATE_LIMIT_WINDOW: "600" };
const from = (address: string) => ({ "x-forwarded-for": address });
const OFFICE = from("198.51.100.1");
const TEN = Array.from({ length: 10 }, (_, index) => `user${index}@example.com`);

const startService = async (environment: Record<string, string> = {}) => {
	const world = await createWorld({ environment: { ...PROXIED, ...LONG, ...environment } });
	onTestFinished(world.close);
	const service = await world.start();
	const acme = await service.createTenant("acme");
	const globex = await service.createTenant("globex");
	return { ...service, acme, globex };
};

for (const [where, environment] of [
	["in the process", {}],
	["in Redis", { REDIS_URL: "redis://127.0.0.1:6379", REDIS_KEY_PREFIX: `test-${process.pid}-office:` }],
] as const)
	it(`lets an office of ten sign up and sign in from one address at once, counted ${where}`, async () => {
		const { post, acme } = await startService(environment);
		const statuses = async (path: string) => {
			const body = (email: string) => ({ tenantId: acme, email, password: PASSWORD, name: "Ada" });
			const answers = await Promise.all(TEN.map((email) => post(path, body(email), OFFICE)));
			return answers.map(({ status }) => status);
		};
		expect(await statuses("/tenant/sign-up/email")).toEqual(TEN.map(() => 200));
		expect(await statuses("/tenant/sign-in/email")).toEqual(TEN.map(() => 200));
		// the eleventh sign-up in a window
		const eleventh = { tenantId: acme, email: "eve@example.com", password: PASSWORD, name: "Eve" };
		expect((await post("/tenant/sign-up/email", eleventh, OFFICE)).status).toBe(429);
	});

it("limits the sign-ins of one address over all tenants and users, and no other address", async () => {
	const { post, acme, globex } = await startService({ SIGN_IN_RATE_LIMIT_MAX: "4" });
	const spray = async (tenantId: string, email: string, headers = OFFICE) =>
		(await post("/tenant/sign-in/email", { tenantId, email, password: "a guess" }, headers)).status;
	const tried = [];
	for (const [tenantId, email] of [
		[acme, "one@example.com"],
		[globex, "two@example.com"],
		[acme, "three@example.com"],
		[globex, "four@example.com"],
		[acme, "five@example.com"],
	] as const)
		tried.push(await spray(tenantId, email));
	expect(tried).toEqual([401, 401, 401, 401, 429]);
	expect(await spray(acme, "five@example.com", from("198.51.100.2"))).toBe(401);
	// the other path of the same endpoint has no count of its own
	expect((await post("/sign-in/email", { email: "one@example.com", password: "a guess" }, OFFICE)).status).toBe(429);
});

it("still limits guesses at one user, from one address and from all of them", async () => {
	const { post, acme, globex, signUp } = await startService({ USER_RATE_LIMIT_MAX: "12" });
	await signUp(acme, "ada@example.com");
	await signUp(globex, "ada@example.com");
	const guess = async (address: string, tenantId = acme, password = "a guess") =>
		(await post("/tenant/sign-in/email", { tenantId, email: "ada@example.com", password }, from(address))).status;
	const tried = [];
	for (let count = 0; count < 4; count += 1) tried.push(await guess("198.51.100.10"));
	// one address may use a quarter, although its own limit is higher
	expect(tried).toEqual([401, 401, 401, 429]);
	for (const address of ["198.51.100.11", "198.51.100.12", "198.51.100.13"])
		for (let count = 0; count < 3; count += 1) expect(await guess(address)).toBe(401);
	expect(await guess("198.51.100.14", acme, PASSWORD)).toBe(429);
	expect(await guess("198.51.100.14", globex, PASSWORD)).toBe(200);
});

it("limits mails of one address", async () => {
	const { post, acme } = await startService({ MAIL_RATE_LIMIT_MAX: "2" });
	const ask = async (email: string) =>
		(await post("/request-password-reset", { email }, { ...OFFICE, "x-tenant-id": acme })).status;
	const statuses = [await ask("one@example.com"), await ask("two@example.com"), await ask("three@example.com")];
	expect(statuses.map((status) => status === 429)).toEqual([false, false, true]);
});
