import { phoneNumber } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";

const NUMBER = "+15550100";

describe.each(["sqlite", "postgres"] as const)("phone numbers on %s", (database) => {
	it("verifies, signs in and resets a password in two tenants, with the same number in both", async () => {
		const sent: string[] = [];
		const plugin = phoneNumber({
			sendOTP: async ({ code }) => void sent.push(code),
			sendPasswordResetOTP: async ({ code }) => void sent.push(code),
		});
		const { a, b, ok, call, signUp, whoami } = await composedWorld([plugin], { database });
		for (const tenant of [a, b]) {
			const browser = await signUp(tenant, "ada@example.com");
			await ok("/phone-number/send-otp", { tenant, body: { phoneNumber: NUMBER } });
			const other = tenant === a ? b : a;
			const body = { phoneNumber: NUMBER, code: sent.at(-1) };
			// rejects the code of the other tenant
			expect((await call("/phone-number/verify", { tenant: other, body })).status).toBe(400);
			await ok("/phone-number/verify", { browser, body: { ...body, updatePhoneNumber: true } });
			expect((await whoami(browser)).user).toMatchObject({ phoneNumber: NUMBER, phoneNumberVerified: true });
		}
		for (const tenant of [a, b]) {
			const browser = new Browser();
			const body = { phoneNumber: NUMBER, password: PASSWORD };
			await ok("/sign-in/phone-number", { tenant, browser, body });
			expect((await whoami(browser)).user).toMatchObject({ tenantId: tenant, email: "ada@example.com" });
		}
		await ok("/phone-number/request-password-reset", { tenant: a, body: { phoneNumber: NUMBER } });
		const newPassword = "another password 1";
		const reset = { phoneNumber: NUMBER, otp: sent.at(-1), newPassword };
		await ok("/phone-number/reset-password", { tenant: a, body: reset });
		const signIn = async (tenant: string, password: string) =>
			(await call("/sign-in/phone-number", { tenant, body: { phoneNumber: NUMBER, password } })).status;
		expect([await signIn(a, newPassword), await signIn(a, PASSWORD)]).toEqual([200, 401]);
		expect([await signIn(b, newPassword), await signIn(b, PASSWORD)]).toEqual([401, 200]);
	});
});
