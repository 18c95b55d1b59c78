import { deviceAuthorization } from "better-auth/plugins/device-authorization";
import { emailOTP } from "better-auth/plugins/email-otp";
import { magicLink } from "better-auth/plugins/magic-link";
import { Browser } from "test-kit/browser";
import { errorOf, useIdentityProvider } from "test-kit/social";
import { MANAGEMENT_KEY, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";
import { count, createSocialPair, rowsElsewhere, userOf, VICTIM } from "./support/two-tenants.ts";

const idp = useIdentityProvider();

describe("a state with a victim's email", () => {
	// threat 16
	it("is rejected as magic link, one-time password, verification, reset and deletion token", async () => {
		const { world, a, b } = await createSocialPair(
			idp(),
			{},
			{
				plugins: [magicLink({ sendMagicLink: async () => {} }), emailOTP({ sendVerificationOTP: async () => {} })],
			},
		);
		const victim = await world.signUp(a, VICTIM);
		await world.signUp(b, VICTIM);
		const browser = new Browser();
		const started = await world.call("/sign-in/social", {
			browser,
			tenant: a,
			body: { provider: "gitlab", callbackURL: "/home", additionalData: { email: VICTIM, name: "x", value: "x" } },
		});
		const [stored] = await world.database.query('select "value" from "verification"');
		expect(JSON.parse(String(stored?.value)).email).toBe(VICTIM);
		const rows = async () => [
			...(await rowsElsewhere(world, "none")),
			await world.database.query('select * from "verification"'),
		];
		const before = await rows();

		const tagged = new URL(started.json.url).searchParams.get("state") ?? "";
		const bare = tagged.split("~")[0] ?? "";
		for (const token of [tagged, bare, `auth-state:${bare}`, `auth-state:${tagged}`]) {
			const tries: [string, Parameters<World["call"]>[1]][] = [
				["/magic-link/verify", { query: { token, callbackURL: "/home" } }],
				["/sign-in/email-otp", { body: { email: VICTIM, otp: token } }],
				["/email-otp/verify-email", { body: { email: VICTIM, otp: token } }],
				["/email-otp/check-verification-otp", { body: { email: VICTIM, otp: token, type: "sign-in" } }],
				["/email-otp/reset-password", { body: { email: VICTIM, otp: token, password: "taken over now" } }],
				["/verify-email", { query: { token } }],
				["/reset-password", { body: { token, newPassword: "taken over now" } }],
				["/delete-user/callback", { query: { token } }],
			];
			for (const [path, call] of tries) {
				const attacker = browser.copy();
				const answer = await world.call(path, { ...call, tenant: a, browser: attacker });
				const refused = answer.status >= 400 || errorOf(answer) === "INVALID_TOKEN";
				expect([path, token, refused]).toEqual([path, token, true]);
				expect([path, await userOf(world, attacker)]).toEqual([path, null]);
			}
			const inVictimsBrowser = await world.call("/delete-user/callback", { browser: victim, query: { token } });
			expect(inVictimsBrowser.status).toBeGreaterThanOrEqual(400);
		}
		expect(await rows()).toEqual(before);
		expect((await userOf(world, victim)).emailVerified).toBe(false);
	});

	// threat 16
	it("is rejected as device code and as user code", async () => {
		const { world, a } = await createSocialPair(
			idp(),
			{},
			{
				allPlugins: withTenants(
					{ management: { keys: [MANAGEMENT_KEY] }, deletion: { drainTime: 0 }, oauth: { allowPrivateHosts: true } },
					[deviceAuthorization({ verificationUri: "/device" })],
				),
			},
		);
		const victim = await world.signUp(a, VICTIM);
		const started = await world.call("/sign-in/social", {
			tenant: a,
			body: { provider: "gitlab", callbackURL: "/home", additionalData: { status: "approved", email: VICTIM } },
		});
		const tagged = new URL(started.json.url).searchParams.get("state") ?? "";
		const bare = tagged.split("~")[0] ?? "";
		const before = await count(world, "session");
		for (const code of [tagged, bare, `auth-state:${bare}`, `auth-state:${tagged}`]) {
			const tries: [string, Parameters<World["call"]>[1]][] = [
				[
					"/device/token",
					{
						body: {
							grant_type: "urn:ietf:params:oauth:grant-type:device_code",
							device_code: code,
							client_id: "client",
						},
					},
				],
				["/device", { query: { user_code: code } }],
				["/device/approve", { browser: victim, body: { userCode: code } }],
				["/device/deny", { browser: victim, body: { userCode: code } }],
			];
			for (const [path, call] of tries) {
				const answer = await world.call(path, { tenant: a, ...call });
				expect([path, code, answer.status >= 400]).toEqual([path, code, true]);
			}
		}
		expect(await count(world, "session")).toBe(before);
	});
});
