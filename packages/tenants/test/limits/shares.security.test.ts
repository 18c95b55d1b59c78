import { deviceAuthorization, magicLink } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { createWorld, MANAGEMENT_KEY, PASSWORD, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { type TenantAuthOptions, withTenants } from "../../src/index.ts";
import { ada, newAddress } from "./limited-world.ts";

type Shares = NonNullable<NonNullable<TenantAuthOptions["limits"]>["shares"]>;

const createShared = async (shares: Shares | false, more: WorldOptions = {}) => {
	const world = await createWorld({
		...more,
		engine: {
			...more.engine,
			rateLimit: { enabled: true, max: 10_000, customRules: { "/**": { window: 10, max: 10_000 } } },
			socialProviders: { github: { clientId: "id", clientSecret: "secret" } },
		},
		allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] }, limits: { shares, perUser: false } }, [
			deviceAuthorization({ verificationUri: "/device" }),
			magicLink({ sendMagicLink: async () => {} }),
		]),
	});
	const newTenant = async (slug: string) => (await world.auth.api.createTenant({ body: { name: slug, slug } })).id;
	const [a, b] = [await newTenant("acme"), await newTenant("globex")];
	const send = async (path: string, tenant: string, body: object, address = newAddress(), browser?: Browser) =>
		world.call(path, { tenant, body, browser, headers: { "x-forwarded-for": address } });
	const rowsIn = async (table: string) => (await world.database.query(`select * from "${table}"`)).length;
	return { world, a, b, send, rowsIn };
};

/** Requests by which strangers store something. */
const STORING: [string, object][] = [
	["/sign-in/social", { provider: "github", callbackURL: "/" }],
	["/tenant/sign-in/social", { provider: "github", callbackURL: "/" }],
	["/device/code", { client_id: "tv" }],
	["/sign-in/magic-link", { email: ada }],
	["/request-password-reset", { email: ada, redirectTo: "/reset" }],
];

// threat 160
describe("limits.shares", () => {
	it.each(STORING)("refuses %s from a network that used up its share, and no other network", async (path, body) => {
		const { a, b, send } = await createShared({ perNetwork: 3 });
		const address = newAddress();
		for (let number = 0; number < 3; number += 1) expect((await send(path, a, body, address)).status).toBe(200);
		for (const tenant of [a, b]) {
			const refused = await send(path, tenant, body, address);
			expect([refused.status, refused.code]).toEqual([429, "SHARE_EXCEEDED"]);
			expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
			expect((await send(path, tenant, body)).status).toBe(200);
		}
	});

	it.each([
		["the database", {}],
		["PostgreSQL", { database: "postgres" }],
		["Redis", { redis: true }],
	] as [string, WorldOptions][])(
		"refuses the strangers of one tenant above its share, in %s, and stores nothing more",
		async (_, more) => {
			const { world, a, b, send, rowsIn } = await createShared({ perTenant: 4 }, more);
			for (const [path, body] of STORING.slice(0, 4)) expect((await send(path, a, body)).status).toBe(200);
			const stored = async () => [
				await rowsIn("deviceCode"),
				more.redis
					? (await world.redisKeys()).filter((key) => key.includes("verification:")).length
					: await rowsIn("verification"),
			];
			const before = await stored();
			for (const [path, body] of STORING) expect((await send(path, a, body)).code).toBe("SHARE_EXCEEDED");
			expect(await stored()).toEqual(before);
			for (const [path, body] of STORING.slice(0, 4)) expect((await send(path, b, body)).status).toBe(200);
		},
	);

	it("charges by size", async () => {
		const { a, b, send } = await createShared({ perNetwork: 10 });
		const address = newAddress();
		const body = { provider: "github", callbackURL: "/", additionalData: { text: "x".repeat(4_000) } };
		expect((await send("/sign-in/social", a, body, address)).status).toBe(200);
		expect((await send("/sign-in/social", b, body, address)).status).toBe(200);
		expect((await send("/sign-in/social", b, body, address)).code).toBe("SHARE_EXCEEDED");
	});

	it("responds alike to known and unknown emails when a share is used up", async () => {
		const { a, send } = await createShared({ perNetwork: 2 });
		await send("/sign-up/email", a, { name: "Ada", email: ada, password: PASSWORD });
		for (const path of ["/request-password-reset", "/sign-in/magic-link"])
			for (const known of [true, false]) {
				const address = newAddress();
				const seen = [];
				const email = known ? ada : "nobody@example.com";
				for (let number = 0; number < 3; number += 1)
					seen.push((await send(path, a, { email, redirectTo: "/" }, address)).status);
				expect(seen).toEqual([200, 200, 429]);
			}
	});

	it("keeps a share for signed-in users, and charges neither sign-ins nor session checks", async () => {
		const { world, a, send } = await createShared({ perTenant: 2, perNetwork: 50 });
		const browser = new Browser();
		await send("/sign-up/email", a, { name: "Ada", email: ada, password: PASSWORD }, newAddress(), browser);
		const [path, body] = STORING[2] ?? ["", {}];
		for (let number = 0; number < 4; number += 1) await send(path, a, body);
		expect((await send(path, a, body)).status).toBe(429);
		expect((await send(path, a, body, newAddress(), browser)).status).toBe(200);
		expect((await send("/sign-in/email", a, { email: ada, password: PASSWORD })).status).toBe(200);
		expect((await world.call("/get-session", { browser })).json).toMatchObject({ user: { email: ada } });
	});

	it("does not count server code, and can be turned off", async () => {
		const { world, a, send } = await createShared({ perNetwork: 1, perTenant: 1 });
		const headers = new Headers({ "x-tenant-id": a });
		for (let number = 0; number < 3; number += 1)
			await world.auth.api.signInSocial({ headers, body: { provider: "github", callbackURL: "/" } });
		expect((await send("/device/code", a, { client_id: "tv" })).status).toBe(200);
		const open = await createShared(false);
		const address = newAddress();
		for (let number = 0; number < 5; number += 1)
			expect((await open.send("/device/code", open.a, { client_id: "tv" }, address)).status).toBe(200);
	});
});
