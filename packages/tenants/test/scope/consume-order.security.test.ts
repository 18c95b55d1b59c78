import { emailOTP } from "better-auth/plugins/email-otp";
import { composedWorld } from "test-kit/composed-world";
import { expect, it } from "vitest";

// SQLite has one connection; a deadlock ends in the test's timeout
it("a password reset by one-time password completes while another tenant checks codes for the same email", async () => {
	const codes: string[] = [];
	const world = await composedWorld([emailOTP({ sendVerificationOTP: async ({ otp }) => void codes.push(otp) })]);
	const { a, b, call, ok } = world;
	const email = "ada@example.com";
	await world.signUp(a, email);
	const checkThirty = () =>
		Array.from({ length: 30 }, () =>
			call("/email-otp/check-verification-otp", {
				tenant: b,
				body: { email, type: "forget-password", otp: "000000" },
			}),
		);
	for (let round = 0; round < 3; round++) {
		await ok("/email-otp/request-password-reset", { tenant: a, body: { email } });
		const body = { email, otp: codes.at(-1) ?? "", password: `another password ${round}` };
		const before = checkThirty();
		const reset = call("/email-otp/reset-password", { tenant: a, body });
		const checks = [...before, ...checkThirty()];
		expect((await reset).status).toBe(200);
		for (const { status } of await Promise.all(checks)) expect(status).toBe(400);
	}
});
