import { emailOTP } from "better-auth/plugins/email-otp";
import { magicLink } from "better-auth/plugins/magic-link";
import { Browser } from "test-kit/browser";
import { errorOf, globalProviders, registerClient, signInSocially, useIdentityProvider } from "test-kit/social";
import { createWorld, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import {
	ada,
	count,
	createPair,
	createSocialPair,
	rowsElsewhere,
	userOf,
	VICTIM,
	verifyEverybody,
} from "./support/two-tenants.ts";

const idp = useIdentityProvider();

// threat 3: the four cases in which only the other tenant has the email
describe.each([
	[true, true],
	[true, false],
	[false, true],
	[false, false],
])("an email that only another tenant has, verified there: %s, and by the provider: %s", (local, remote) => {
	it("creates a new user and does not link the other tenant's", async () => {
		const { world, a, b } = await createSocialPair(idp());
		const neighbor = await userOf(world, await world.signUp(b, ada.email));
		if (local) await verifyEverybody(world);
		const before = await rowsElsewhere(world, a);
		const { answer, browser } = await signInSocially(world, idp(), a, { ...ada, emailVerified: remote });
		expect(answer.location).toBe("/home");
		const made = await userOf(world, browser);
		expect([made.id === neighbor.id, made.emailVerified]).toEqual([false, remote]);
		expect(await rowsElsewhere(world, a)).toEqual(before);
		expect(
			await world.database.query(`select "tenantId", "userId" from "account" where "providerId" = 'gitlab'`),
		).toEqual([{ tenantId: a, userId: made.id }]);
	});
});

describe("a user who proves an address that an attacker registered", () => {
	// threat 4
	it.each(["magic link", "one-time password"])(
		"ends the attacker's password and session by %s, in their own tenant only",
		async (way) => {
			const links: string[] = [];
			const otps: string[] = [];
			const { world, a, b } = await createPair({
				plugins: [
					magicLink({ sendMagicLink: async ({ url }) => void links.push(url) }),
					emailOTP({ sendVerificationOTP: async ({ otp }) => void otps.push(otp) }),
				],
			});
			const [planted, neighbor] = [await world.signUp(a, VICTIM), await world.signUp(b, VICTIM)];
			const victim = new Browser();
			if (way === "magic link") {
				await world.call("/sign-in/magic-link", { tenant: a, body: { email: VICTIM, callbackURL: "/home" } });
				await world.call(links[0] ?? "", { browser: victim });
			} else {
				await world.call("/email-otp/send-verification-otp", { tenant: a, body: { email: VICTIM, type: "sign-in" } });
				await world.call("/sign-in/email-otp", { tenant: a, browser: victim, body: { email: VICTIM, otp: otps[0] } });
			}
			expect(await userOf(world, victim)).toMatchObject({ email: VICTIM, emailVerified: true });
			const signIn = (tenantId: string) =>
				world.call("/tenant/sign-in/email", { body: { tenantId, email: VICTIM, password: PASSWORD } });

			expect(await userOf(world, planted)).toBeNull();
			expect(await signIn(a)).toMatchObject({ status: 401, code: "INVALID_EMAIL_OR_PASSWORD" });
			expect(await count(world, "account", `"tenantId" = '${a}'`)).toBe(0);
			expect(await count(world, "session", `"tenantId" = '${a}'`)).toBe(1);

			expect(await userOf(world, neighbor)).toMatchObject({ email: VICTIM, emailVerified: false });
			expect((await signIn(b)).status).toBe(200);
		},
	);
});

// threat 3: one of the four may link
describe.each([
	[true, true],
	[true, false],
	[false, true],
	[false, false],
])("a user with a verified email: %s, and a provider that verified it: %s", (local, remote) => {
	it(`${local && remote ? "is" : "is not"} linked, in their own tenant only`, async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const place of [a, b]) await world.signUp(place, ada.email);
		if (local) await world.database.query('update "user" set "emailVerified" = 1');
		const { answer } = await signInSocially(world, idp(), a, { ...ada, emailVerified: remote });
		expect(errorOf(answer)).toBe(local && remote ? null : "account_not_linked");
		const accounts = await world.database.query(`select "tenantId" from "account" where "providerId" = 'gitlab'`);
		expect(accounts.map((row) => row.tenantId)).toEqual(local && remote ? [a] : []);
	});
});

describe("a returning subject", () => {
	// threat 6
	it("stays the same user with a victim's email, and is linked to no other", async () => {
		const { world, a, b } = await createSocialPair(idp());
		for (const place of [a, b]) await world.signUp(place, VICTIM);
		await verifyEverybody(world);
		const first = await userOf(world, (await signInSocially(world, idp(), a, ada)).browser);
		const rows = () =>
			world.database.query('select "id", "tenantId", "email", "emailVerified" from "user" order by "id"');
		const links = () =>
			world.database.query('select "id", "userId", "providerId", "accountId" from "account" order by "id"');
		const before = [await rows(), await links()];
		const { answer, browser } = await signInSocially(world, idp(), a, { ...ada, email: VICTIM, emailVerified: true });
		expect(answer.location).toBe("/home");
		expect(await userOf(world, browser)).toMatchObject({ id: first.id, email: ada.email });
		expect([await rows(), await links()]).toEqual(before);
	});
});

describe("a member of one tenant", () => {
	// threat 11
	it("cannot link with a provider that only another tenant has, whatever tenant the request names", async () => {
		const { world, a, b } = await createPair();
		await registerClient(world, idp(), b, "client-of-b");
		const browser = await world.signUp(a, ada.email);
		const link = (sent: Record<string, unknown>, tenant?: string) =>
			world.call("/link-social", { browser, tenant, body: { provider: "gitlab", callbackURL: "/linked", ...sent } });
		expect(await link({})).toMatchObject({ status: 404, code: "PROVIDER_NOT_FOUND" });
		expect(await link({}, a)).toMatchObject({ status: 404, code: "PROVIDER_NOT_FOUND" });
		expect(await link({}, b)).toMatchObject({ status: 403, code: "SESSION_TENANT_MISMATCH" });
		expect(await link({ tenantId: b })).toMatchObject({ status: 403, code: "SESSION_TENANT_MISMATCH" });
		expect(await count(world, "verification")).toBe(0);
	});

	// threat 11
	it("cannot unlink, refresh or read another tenant's account", async () => {
		const { world, a, b } = await createSocialPair(idp(), { account: { accountLinking: { allowUnlinkingAll: true } } });
		const inA = (await signInSocially(world, idp(), a, ada)).browser;
		const inB = (await signInSocially(world, idp(), b, ada)).browser;
		const [own] = (await world.call("/list-accounts", { browser: inA })).json;
		const [foreign] = (await world.call("/list-accounts", { browser: inB })).json;
		const before = await world.database.query('select * from "account" order by "id"');
		const tokens = idp().tokenRequests.length;
		const body = { accountId: foreign?.id ?? "" };
		expect(await world.call("/unlink-account", { browser: inA, body })).toMatchObject({
			status: 400,
			code: "ACCOUNT_NOT_FOUND",
		});
		for (const path of ["/refresh-token", "/get-access-token"]) {
			expect([path, (await world.call(path, { browser: inA, body })).code]).toEqual([path, "ACCOUNT_NOT_FOUND"]);
		}
		expect((await world.call("/account-info", { browser: inA, query: body })).code).toBe("ACCOUNT_NOT_FOUND");
		expect(idp().tokenRequests.length).toBe(tokens);
		expect(await world.database.query('select * from "account" order by "id"')).toEqual(before);
		// their own can be unlinked
		expect((await world.call("/unlink-account", { browser: inA, body: { accountId: own?.id } })).status).toBe(200);
		expect((await world.database.query('select "id" from "account"')).map(({ id }) => id)).toEqual([foreign?.id]);
	});
});
