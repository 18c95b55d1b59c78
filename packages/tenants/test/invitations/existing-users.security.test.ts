import { Browser } from "test-kit/browser";
import { globalProviders, signInSocially, useIdentityProvider } from "test-kit/social";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { type InvitingWorld, invitingWorld, outcome } from "./support/inviting-world.ts";

const ADA = "ada@example.com";
const SIGN_IN = [401, "INVITATION_SIGN_IN_REQUIRED"];

const verify = (world: InvitingWorld, tenantId: string) =>
	world.database.query(`update "user" set "emailVerified" = 1 where "tenantId" = '${tenantId}'`);
const signIn = async (world: InvitingWorld, tenant: string): Promise<Browser> => {
	const browser = new Browser();
	await world.call("/sign-in/email", { tenant, browser, body: { email: ADA, password: PASSWORD } });
	return browser;
};
const roleIn = async (world: InvitingWorld, tenant: string) =>
	(await world.users()).find(({ tenantId, email }) => tenantId === tenant && email === ADA)?.role;

describe("a user of the tenant", () => {
	// threat 112
	it.each([false, true])("accepts with the invited, verified address only (Redis: %s)", async (redis) => {
		const world = await invitingWorld({ redis });
		const { a, b } = world;
		const [ada, inB] = [await world.signUp(a, ADA), await world.signUp(b, ADA)];
		const eve = await world.signUp(a, "eve@example.com");
		const token = await world.tokenFor(a, ADA, "admin");
		expect(outcome(await world.acceptAs(new Browser(), token))).toEqual(SIGN_IN);
		expect(outcome(await world.acceptAs(ada, token))).toEqual([403, "INVITATION_EMAIL_NOT_VERIFIED"]);
		await verify(world, a);
		await verify(world, b);
		const [mine, other] = [await signIn(world, a), await signIn(world, a)];
		const elsewhere = await signIn(world, b);
		expect(outcome(await world.acceptAs(eve, token))).toEqual([403, "INVITATION_EMAIL_MISMATCH"]);
		for (const stranger of [elsewhere, inB]) expect(outcome(await world.acceptAs(stranger, token))).toEqual(SIGN_IN);
		expect(await roleIn(world, a)).toBe("member");

		const accepted = await world.acceptAs(mine, token);
		expect(accepted.json).toMatchObject({ token: null, user: { email: ADA, role: "admin" } });
		expect([await roleIn(world, a), await roleIn(world, b)]).toEqual(["admin", "member"]);
		expect((await world.call("/get-session", { browser: mine })).json.user).toMatchObject({ role: "admin" });
		// whoever had a session before the address was proven has none with the new role
		for (const ended of [other, ada]) expect((await world.call("/get-session", { browser: ended })).json).toBeNull();
		expect((await world.call("/get-session", { browser: elsewhere })).json).not.toBeNull();
		expect((await world.acceptAs(mine, token)).code).toBe("INVITATION_NOT_FOUND");
	});

	// threat 112
	it("keeps a higher role, and sessions that gain nothing", async () => {
		const world = await invitingWorld();
		const browser = await world.member(world.a, ADA, "owner");
		const other = await signIn(world, world.a);
		expect((await world.acceptAs(browser, await world.tokenFor(world.a, ADA, "member"))).status).toBe(200);
		expect(await roleIn(world, world.a)).toBe("owner");
		expect((await world.call("/get-session", { browser: other })).json).not.toBeNull();
	});

	// threat 112
	it("is not replaced by the holder of a token who sends another password", async () => {
		const world = await invitingWorld();
		await world.signUp(world.a, ADA);
		const token = await world.tokenFor(world.a, ADA, "admin");
		const fields = { name: "Eve", password: "another password" };
		expect(outcome(await world.accept(token, { fields }))).toEqual(SIGN_IN);
		expect((await world.rows("user")).map(({ name, role }) => [name, role])).toEqual([["Ada", "member"]]);
		expect(await world.rows("account")).toHaveLength(1);
		expect((await signIn(world, world.a)).cookies.size).toBeGreaterThan(0);
		expect((await world.rows("tenantInvitation")).length).toBe(1);
	});

	// threat 113
	it("is not revealed by an invitation to their address", async () => {
		const world = await invitingWorld();
		await world.signUp(world.a, ADA);
		const [known, unknown] = [
			await world.invite({ tenantId: world.a, email: ADA }),
			await world.invite({ tenantId: world.a, email: "bob@example.com" }),
		];
		expect([known.status, Object.keys(known.json)]).toEqual([unknown.status, Object.keys(unknown.json)]);
		const shown = await Promise.all(
			world.sent.map(async ({ token }) => (await world.call("/tenant/invitation/get", { query: { token } })).json),
		);
		expect(Object.keys(shown[0] ?? {})).toEqual(Object.keys(shown[1] ?? {}));
		expect(world.sent).toHaveLength(2);
	});

	// threat 112
	it("accepts once, of several requests at the same time", async () => {
		const world = await invitingWorld();
		const browser = await world.member(world.a, ADA, "member");
		const token = await world.tokenFor(world.a, ADA, "member");
		const answers = await Promise.all(Array.from({ length: 5 }, () => world.acceptAs(browser.copy(), token)));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
	});

	// threat 112
	it("cannot accept while the admin plugin lets somebody else act for them", async () => {
		const world = await invitingWorld();
		const browser = await world.member(world.a, ADA, "member");
		const token = await world.tokenFor(world.a, ADA, "owner");
		await world.database.query(`update "session" set "impersonatedBy" = 'someone'`);
		expect(outcome(await world.acceptAs(browser, token))).toEqual(SIGN_IN);
		expect(await roleIn(world, world.a)).toBe("member");
	});
});

describe("a user of a social provider", () => {
	const idp = useIdentityProvider();
	const start = () => invitingWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });

	// threat 112
	it("accepts after a sign-up with the invited address, if the provider verified it", async () => {
		const world = await start();
		const { a, b } = world;
		const tokens = { a: await world.tokenFor(a, ADA, "admin"), b: await world.tokenFor(b, ADA, "owner") };
		const { browser } = await signInSocially(world, idp(), a, { sub: "ada-1", email: ADA, name: "Ada" });
		expect(await roleIn(world, a)).toBe("member");
		expect(outcome(await world.acceptAs(browser, tokens.b))).toEqual(SIGN_IN);
		expect((await world.acceptAs(browser, tokens.a)).json.user).toMatchObject({ role: "admin", emailVerified: true });
		expect([await roleIn(world, a), await roleIn(world, b)]).toEqual(["admin", undefined]);
	});

	// threat 112
	it("does not accept with another address, or one that the provider did not verify", async () => {
		const world = await start();
		const token = await world.tokenFor(world.a, ADA, "admin");
		const eve = await signInSocially(world, idp(), world.a, { sub: "eve-1", email: "eve@example.com", name: "Eve" });
		expect(outcome(await world.acceptAs(eve.browser, token))).toEqual([403, "INVITATION_EMAIL_MISMATCH"]);
		const fake = { sub: "eve-2", email: ADA, name: "Eve", emailVerified: false };
		const { browser } = await signInSocially(world, idp(), world.a, fake);
		expect(outcome(await world.acceptAs(browser, token))).toEqual([403, "INVITATION_EMAIL_NOT_VERIFIED"]);
		expect((await world.users()).map(({ role }) => role)).toEqual(["member", "member"]);
	});
});
