import { emailOTP } from "better-auth/plugins";
import { createWorld, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it, onTestFinished, vi } from "vitest";

const KNOWN = "ada@example.com";
const UNKNOWN = "nobody@example.com";
const WAYS = {
	"/email-otp/reset-password": ["forget-password", { password: PASSWORD }],
	"/email-otp/verify-email": ["email-verification", {}],
	"/email-otp/check-verification-otp": ["forget-password", { type: "forget-password" }],
	"/sign-in/email-otp": ["sign-in", {}],
} as const;

/** Two tenants, the first of which has the user. */
const create = async () => {
	const world = await createWorld({
		engine: { emailAndPassword: { enabled: true, requireEmailVerification: true } },
		plugins: [emailOTP({ disableSignUp: true, sendVerificationOTP: async () => {}, storeOTP: "hashed" })],
	});
	const [tenant, neighbor] = [await world.newTenant(), await world.newTenant()];
	await world.call("/sign-up/email", { tenant, body: { name: "Ada", email: KNOWN, password: PASSWORD } });
	return { world, tenant, neighbor };
};

/** What the guesses at the code of an address return, if a code was asked for. */
const guesses = async (world: World, tenant: string | undefined, path: keyof typeof WAYS, email: string) => {
	const [type, more] = WAYS[path];
	await world.call("/email-otp/send-verification-otp", { tenant, body: { email, type } });
	const seen: unknown[] = [];
	for (let guess = 0; guess < 5; guess++) {
		const { status, headers, text } = await world.call(path, { tenant, body: { email, otp: "000000", ...more } });
		seen.push([status, text, Object.fromEntries(headers)]);
	}
	return seen;
};

// threat 52
describe("guesses at a mailed code", () => {
	it.each(Object.keys(WAYS) as (keyof typeof WAYS)[])(
		"do not reveal at %s whether the address has an account",
		async (path) => {
			const { world, tenant, neighbor } = await create();
			const unknown = await guesses(world, tenant, path, UNKNOWN);
			expect(unknown).toEqual(Array(5).fill([400, expect.stringContaining('"INVALID_OTP"'), expect.anything()]));
			expect(await guesses(world, tenant, path, KNOWN)).toEqual(unknown);
			expect(await guesses(world, neighbor, path, KNOWN)).toEqual(unknown);
		},
	);

	it("do not reveal it after the code expired", async () => {
		const { world, tenant } = await create();
		await world.call("/email-otp/send-verification-otp", { tenant, body: { email: KNOWN, type: "forget-password" } });
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
		onTestFinished(() => void vi.useRealTimers());
		const { status, code } = await world.call("/email-otp/reset-password", {
			tenant,
			body: { email: KNOWN, otp: "000000", password: PASSWORD },
		});
		expect([status, code]).toEqual([400, "INVALID_OTP"]);
	});

	it("return Better Auth's own codes on the platform", async () => {
		const { world } = await create();
		await world.call("/sign-up/email", { body: { name: "Ada", email: KNOWN, password: PASSWORD } });
		const seen = await guesses(world, undefined, "/email-otp/reset-password", KNOWN);
		expect(seen.at(3)).toEqual([403, expect.stringContaining("TOO_MANY_ATTEMPTS"), expect.anything()]);
	});
});
