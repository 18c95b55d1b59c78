import { apiKey } from "@better-auth/api-key";
import { passkey } from "@better-auth/passkey";
import { createAuthenticator } from "test-kit/authenticator";
import { Browser } from "test-kit/browser";
import { ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { type InvitingWorld, invitingWorld, outcome } from "./support/inviting-world.ts";

const ADA = "ada@example.com";
const OWN_PASSWORD = "a password of her own";
const REQUIRED = [403, "INVITATION_PASSWORD_REQUIRED"];

/** By default, the proof of the address ends what was planted. Users who proved it before may still have it. */
const start = (where: object, keepUnprovenPasswords = true) =>
	invitingWorld({
		...where,
		keepUnprovenPasswords,
		plugins: [
			passkey({ rpID: "localhost", origin: ORIGIN }),
			apiKey({ enableSessionForAPIKeys: true, rateLimit: { enabled: false } }),
		],
	});

/** Signs up with Ada's address, and adds every way in that an unverified user can add. */
const plant = async ({ call, auth, signUp }: InvitingWorld, tenant: string) => {
	const browser = await signUp(tenant, ADA);
	const key = createAuthenticator({ origin: ORIGIN, rpId: "localhost" });
	const options = (await call("/passkey/generate-register-options", { browser })).json;
	await call("/passkey/verify-registration", { browser, body: { response: key.register(options as never) } });
	const apiKey = String((await call("/api-key/create", { browser, body: { name: "ci" } })).json.key);
	const { user } = (await call("/get-session", { browser })).json;
	const { internalAdapter } = await auth.$context;
	await runWithTenant(tenant, () =>
		internalAdapter.createAccount({ userId: user.id, providerId: "gitlab", accountId: "eve" }),
	);
	const byPasskey = async (): Promise<number> => {
		const fresh = new Browser();
		const asked = (await call("/passkey/generate-authenticate-options", { tenant, browser: fresh })).json;
		const body = { response: key.authenticate(asked as never) };
		return (await call("/passkey/verify-authentication", { tenant, browser: fresh, body })).status;
	};
	const byKey = async () => (await call("/get-session", { tenant, headers: { "x-api-key": apiKey } })).status;
	const bySession = async () => Boolean((await call("/get-session", { browser })).json);
	return { waysIn: async () => [await byPasskey(), await byKey(), await bySession()] };
};

/** Opens the link of the mail that verifies Ada's address. */
const verifyAddress = async (world: InvitingWorld, tenant: string): Promise<Browser> => {
	await world.call("/send-verification-email", { tenant, body: { email: ADA, callbackURL: "/home" } });
	const browser = new Browser();
	await world.call(world.lastMail("verify").url, { browser });
	return browser;
};

const resetPassword = async (world: InvitingWorld, tenant: string, newPassword: string): Promise<void> => {
	await world.call("/request-password-reset", { tenant, body: { email: ADA, redirectTo: "/reset" } });
	const { token } = world.lastMail("reset");
	await world.call("/reset-password", { tenant, body: { token, newPassword } });
};

const accountsIn = async (world: InvitingWorld, tenant: string) =>
	(await world.rows("account")).filter(({ tenantId }) => tenantId === tenant).map(({ providerId }) => providerId);

describe.each([
	["sqlite", {}],
	["postgres", { database: "postgres" as const }],
	["Redis", { redis: true }],
])("a user whose address somebody else signed up with (%s)", (_, where) => {
	// threat 124
	it("gets a higher role with the password only, and without the ways in of the other", async () => {
		const world = await start(where);
		const { a, b } = world;
		const [eve, neighbor] = [await plant(world, a), await plant(world, b)];
		for (const { waysIn } of [eve, neighbor]) expect(await waysIn()).toEqual([200, 200, true]);
		const token = await world.tokenFor(a, ADA, "owner");
		let ada = await verifyAddress(world, a);
		// she does not know the password of her own account
		for (const fields of [{}, { password: "a guess" }])
			expect(outcome(await world.acceptAs(ada, token, fields))).toEqual(REQUIRED);
		expect((await world.users()).map(({ role }) => role)).toEqual(["member", "member"]);

		await resetPassword(world, a, OWN_PASSWORD);
		// which ends her session
		ada = new Browser();
		await world.call("/sign-in/email", { tenant: a, browser: ada, body: { email: ADA, password: OWN_PASSWORD } });
		expect(outcome(await world.acceptAs(ada, token))).toEqual(REQUIRED);
		const accepted = await world.acceptAs(ada, token, { password: OWN_PASSWORD });
		expect(accepted.json).toMatchObject({ user: { email: ADA, role: "owner" } });
		expect((await world.call("/get-session", { browser: ada })).json.user.role).toBe("owner");
		expect(await eve.waysIn()).toEqual([401, 401, false]);
		expect(await accountsIn(world, a)).toEqual(["credential"]);
		// the neighbor has lost nothing
		expect(await neighbor.waysIn()).toEqual([200, 200, true]);
		expect((await accountsIn(world, b)).sort()).toEqual(["credential", "gitlab"]);
	});

	it("accepts without a password, if the proof of the address removed the planted one", async () => {
		const world = await start(where, false);
		const [eve, neighbor] = [await plant(world, world.a), await plant(world, world.b)];
		const token = await world.tokenFor(world.a, ADA, "owner");
		const ada = await verifyAddress(world, world.a);
		expect(await eve.waysIn()).toEqual([401, 401, false]);
		expect((await world.acceptAs(ada, token, {})).json).toMatchObject({ user: { email: ADA, role: "owner" } });
		expect(await neighbor.waysIn()).toEqual([200, 200, true]);
	});

	it("keeps everything if the role does not rise", async () => {
		const world = await start(where);
		const eve = await plant(world, world.a);
		await plant(world, world.b);
		const token = await world.tokenFor(world.a, ADA, "member");
		const ada = await verifyAddress(world, world.a);
		expect((await world.acceptAs(ada, token, {})).status).toBe(200);
		expect(await eve.waysIn()).toEqual([200, 200, true]);
	});
});
