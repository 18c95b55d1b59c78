import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { PASSWORD } from "test-kit/world";
import { expect, it } from "vitest";

const names: [string, Record<string, unknown>, string][] = [
	["the default name", {}, "better-auth.tenant_flow"],
	["another prefix", { cookiePrefix: "acme" }, "acme.tenant_flow"],
	["a custom name", { cookies: { tenant_flow: { name: "app.step2" } } }, "app.step2"],
];

it.each(names)(
	"with %s, deletes the challenge cookie when the challenge is passed or abandoned",
	async (_name, advanced, cookie) => {
		const { a, b, ...world } = await composedWorld([twoFactor()], {
			engine: { advanced: { disableOriginCheck: false, ...advanced } },
		});
		const browser = await world.signUp(a, "ada@example.com");
		await world.signUp(b, "bob@example.com");
		const enabled = (await world.call("/two-factor/enable", { browser, body: { password: PASSWORD } })).json;
		const secret = new TextDecoder().decode(base32.decode(new URL(enabled.totpURI).searchParams.get("secret") ?? ""));
		const code = () => createOTP(secret).totp();
		expect((await world.call("/two-factor/verify-totp", { browser, body: { code: await code() } })).status).toBe(200);

		const challenged = async () => {
			const fresh = new Browser();
			const asked = await world.call("/sign-in/email", {
				tenant: a,
				browser: fresh,
				body: { email: "ada@example.com", password: PASSWORD },
			});
			expect(asked.json.twoFactorRedirect).toBe(true);
			expect([...fresh.cookies.keys()]).toContain(cookie);
			return fresh;
		};

		const answers = await challenged();
		expect(
			(await world.call("/two-factor/verify-totp", { browser: answers, body: { code: await code() } })).status,
		).toBe(200);
		expect([...answers.cookies.keys()], "answered").not.toContain(cookie);

		const leaves = await challenged();
		const other = await world.call("/tenant/sign-in/email", {
			browser: leaves,
			body: { tenantId: b, email: "bob@example.com", password: PASSWORD },
		});
		expect(other.status).toBe(200);
		expect([...leaves.cookies.keys()], "left").not.toContain(cookie);
	},
);
