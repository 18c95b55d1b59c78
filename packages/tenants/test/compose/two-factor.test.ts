import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";

describe.each(["sqlite", "postgres"] as const)("two-factor authentication on %s", (database) => {
	it("is set up, required, passed by code, backup code and trusted device, and turned off", async () => {
		const { a, b, ok, call, signUp, whoami, tenantsOf } = await composedWorld([twoFactor()], { database });
		const secrets = new Map<string, string>();
		for (const tenant of [a, b]) {
			const browser = await signUp(tenant, "ada@example.com");
			const enabled = (await ok("/two-factor/enable", { browser, body: { password: PASSWORD } })).json;
			const uri = new URL(enabled.totpURI);
			const secret = new TextDecoder().decode(base32.decode(uri.searchParams.get("secret") ?? ""));
			secrets.set(tenant, secret);
			const code = async () => createOTP(secret).totp();
			await ok("/two-factor/verify-totp", { browser, body: { code: await code() } });

			const challenged = async () => {
				const fresh = new Browser();
				const body = { email: "ada@example.com", password: PASSWORD };
				const asked = await ok("/sign-in/email", { tenant, browser: fresh, body });
				expect(asked.json.twoFactorRedirect).toBe(true);
				expect(await whoami(fresh)).toBeNull();
				return fresh;
			};
			// the response names no tenant; the challenge cookie does
			const byCode = await challenged();
			await ok("/two-factor/verify-totp", { browser: byCode, body: { code: await code(), trustDevice: true } });
			expect((await whoami(byCode)).user.tenantId).toBe(tenant);
			const byBackup = await challenged();
			const backup = { code: enabled.backupCodes[0] };
			await ok("/two-factor/verify-backup-code", { browser: byBackup, body: backup });
			expect((await whoami(byBackup)).user.tenantId).toBe(tenant);
			expect((await call("/two-factor/verify-backup-code", { browser: await challenged(), body: backup })).status).toBe(
				401,
			);

			const body = { email: "ada@example.com", password: PASSWORD };
			expect((await ok("/sign-in/email", { tenant, browser: byCode, body })).json.user.email).toBe("ada@example.com");
		}
		expect(secrets.get(a)).not.toBe(secrets.get(b));
		expect(await tenantsOf("twoFactor")).toEqual([a, b].sort());
		const browser = new Browser();
		await ok("/sign-in/email", { tenant: a, browser, body: { email: "ada@example.com", password: PASSWORD } });
		const code = await createOTP(secrets.get(b) ?? "").totp();
		const wrong = await call("/two-factor/verify-totp", { browser, body: { code } });
		expect([wrong.status, wrong.code]).toEqual([401, "INVALID_CODE"]);
		const right = await createOTP(secrets.get(a) ?? "").totp();
		await ok("/two-factor/verify-totp", { browser, body: { code: right } });
		await ok("/two-factor/disable", { browser, body: { password: PASSWORD } });
		expect(await tenantsOf("twoFactor")).toEqual([b]);
	});
});
