import { emailOTP, phoneNumber, twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { MANAGEMENT_KEY, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { type TenantAuthOptions, withTenants } from "../../src/index.ts";
import { ada, createLimited, knock, newAddress } from "./limited-world.ts";

type Limits = NonNullable<TenantAuthOptions["limits"]>;
type Sent = { to: string; code: string };

const createGuessed = async (limits: Limits, more: { redis?: boolean } = {}) => {
	const sent: Sent[] = [];
	const plugins = [
		emailOTP({
			allowedAttempts: 100,
			sendVerificationOTP: async ({ email, otp }) => void sent.push({ to: email, code: otp }),
		}),
		phoneNumber({ allowedAttempts: 100, sendOTP: ({ phoneNumber: to, code }) => void sent.push({ to, code }) }),
		twoFactor({
			skipVerificationOnEnable: true,
			otpOptions: { allowedAttempts: 100, sendOTP: ({ user, otp }) => void sent.push({ to: user.email, code: otp }) },
		}),
	];
	const limited = await createLimited(limits, {
		...more,
		allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] }, limits }, plugins),
	});
	const { world, a, b } = limited;
	for (const tenant of [a, b])
		await knock(world, "/sign-up/email", { tenant, body: { name: "Ada", email: ada, password: PASSWORD } });
	const mail = async (tenant: string) => {
		await knock(world, "/email-otp/send-verification-otp", { tenant, body: { email: ada, type: "sign-in" } });
		return sent.at(-1)?.code ?? "";
	};
	return { ...limited, sent, mail };
};

const wrongOf = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
const signInWith = (world: World, tenant: string, otp: string, email = ada) =>
	knock(world, "/sign-in/email-otp", { tenant, body: { email, otp } });

// threat 158
describe("limits.codesPerUser", () => {
	it.each([{ redis: false }, { redis: true }])(
		"counts the codes of one user on all endpoints, in one tenant only (Redis: $redis)",
		async ({ redis }) => {
			const { world, a, b, mail } = await createGuessed({ codesPerUser: { window: 86_400, max: 6 } }, { redis });
			const [code, neighbor] = [await mail(a), await mail(b)];
			const otp = wrongOf(code);
			const seen = [];
			for (const [path, body] of [
				["/sign-in/email-otp", { email: ada, otp }],
				["/email-otp/check-verification-otp", { email: "ADA@example.com", otp, type: "sign-in" }],
				["/email-otp/verify-email", { email: ada, otp }],
				["/email-otp/reset-password", { email: ada, otp, password: "another horse battery" }],
				["/sign-in/email-otp", { email: ` ${ada}`, otp }],
				["/sign-in/email-otp", { email: ada, otp, phoneNumber: "+15550100" }],
			] as const)
				seen.push((await knock(world, path, { tenant: a, body })).status);
			expect(seen).not.toContain(429);
			const refused = await signInWith(world, a, code);
			expect([refused.status, refused.code]).toEqual([429, "TOO_MANY_CODES"]);
			expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
			expect(refused.headers.get("cache-control")).toBe("no-store");
			// a new code brings no new attempts
			expect((await signInWith(world, a, await mail(a))).status).toBe(429);
			// other ways in still work, other users too, and the same address in another tenant
			const password = await knock(world, "/sign-in/email", { tenant: a, body: { email: ada, password: PASSWORD } });
			expect(password.status).toBe(200);
			expect((await signInWith(world, a, otp, "bob@example.com")).status).toBe(400);
			expect((await signInWith(world, b, neighbor)).status).toBe(200);
		},
	);

	it("responds alike to known and unknown users", async () => {
		const { world, a } = await createGuessed({ codesPerUser: { window: 86_400, max: 2 } });
		const tryAll = async (email: string) => {
			const seen = [];
			for (let number = 0; number < 4; number += 1) seen.push((await signInWith(world, a, "000000", email)).status);
			return seen;
		};
		const unknown = await tryAll("nobody@example.com");
		expect(await tryAll(ada)).toEqual(unknown);
		expect(unknown.slice(2)).toEqual([429, 429]);
	});

	it("lets one address use up a quarter only", async () => {
		const { world, a, mail } = await createGuessed({ codesPerUser: { window: 86_400, max: 8 } });
		const code = await mail(a);
		const headers = { "x-forwarded-for": newAddress() };
		const seen = [];
		for (let number = 0; number < 3; number += 1) {
			const body = { email: ada, otp: wrongOf(code), type: "sign-in" };
			seen.push((await world.call("/email-otp/check-verification-otp", { tenant: a, headers, body })).status);
		}
		expect(seen).toEqual([400, 400, 429]);
		expect((await signInWith(world, a, code)).status).toBe(200);
	});

	it("counts codes sent to a phone", async () => {
		const { world, a, b, sent } = await createGuessed({ codesPerUser: { window: 86_400, max: 2 } });
		const to = "+15550100";
		for (const tenant of [b, a]) await knock(world, "/phone-number/send-otp", { tenant, body: { phoneNumber: to } });
		const [inB = "", inA = ""] = sent.map(({ code }) => code);
		const verify = (tenant: string, code: string) =>
			knock(world, "/phone-number/verify", { tenant, body: { phoneNumber: to, code, disableSession: true } });
		for (let number = 0; number < 2; number += 1) expect((await verify(a, wrongOf(inA))).status).toBe(400);
		expect((await verify(a, inA)).status).toBe(429);
		expect((await verify(b, inB)).code).not.toBe("TOO_MANY_CODES");
	});

	it("counts codes of second factors over all sign-ins of a user", async () => {
		const { world, a, b } = await createGuessed({ codesPerUser: { window: 86_400, max: 4 } });
		const challenged = async (tenant: string) => {
			const browser = new Browser();
			const body = { email: ada, password: PASSWORD };
			const answer = await knock(world, "/sign-in/email", { tenant, browser, body });
			expect(answer.json).toMatchObject({ twoFactorRedirect: true });
			return browser;
		};
		for (const tenant of [a, b]) {
			const browser = new Browser();
			await knock(world, "/sign-in/email", { tenant, browser, body: { email: ada, password: PASSWORD } });
			const enabled = await knock(world, "/two-factor/enable", { browser, body: { password: PASSWORD } });
			expect(enabled.status).toBe(200);
		}
		const codes = [];
		for (const path of ["/two-factor/verify-totp", "/two-factor/verify-otp", "/two-factor/verify-backup-code"])
			for (let number = 0; number < 2; number += 1) {
				const browser = await challenged(a);
				if (path.endsWith("verify-otp")) await knock(world, "/two-factor/send-otp", { browser, body: {} });
				codes.push((await knock(world, path, { browser, body: { code: "000000" } })).code);
			}
		expect(codes.slice(0, 4)).not.toContain("TOO_MANY_CODES");
		expect(codes.slice(4)).toEqual(["TOO_MANY_CODES", "TOO_MANY_CODES"]);
		const browser = await challenged(b);
		const other = await knock(world, "/two-factor/verify-totp", { browser, body: { code: "000000" } });
		expect(other.code).not.toBe("TOO_MANY_CODES");
	});

	it("goes on counting without Redis while a stranger invents users in another tenant", async () => {
		const limits = { codesPerUser: { window: 86_400, max: 4 }, shares: { perNetwork: 20 } };
		const { world, a, b, mail } = await createGuessed(limits);
		const code = await mail(a);
		const headers = { "x-forwarded-for": newAddress() };
		const seen = [];
		for (let guess = 0; guess < 6; guess += 1) {
			seen.push((await signInWith(world, a, wrongOf(code))).code);
			for (let number = 0; number < 10; number += 1) {
				const body = { email: `invented-${guess}-${number}@example.com`, otp: "000000" };
				seen.push((await world.call("/sign-in/email-otp", { tenant: b, headers, body })).code);
			}
		}
		const ofVictim = seen.filter((_, number) => number % 11 === 0);
		expect(ofVictim.slice(4)).toEqual(["TOO_MANY_CODES", "TOO_MANY_CODES"]);
		expect(ofVictim.slice(0, 4)).not.toContain("TOO_MANY_CODES");
		// the network's own requests end at its share, and no other network's
		expect(seen.slice(-9)).not.toContain("INVALID_OTP");
		expect((await signInWith(world, b, await mail(b))).status).toBe(200);
	});

	it("can be turned off", async () => {
		const { world, a, mail } = await createGuessed({ codesPerUser: false });
		const otp = wrongOf(await mail(a));
		const seen = [];
		for (let number = 0; number < 65; number += 1) seen.push((await signInWith(world, a, otp)).status);
		expect(new Set(seen)).toEqual(new Set([400]));
	});
});
