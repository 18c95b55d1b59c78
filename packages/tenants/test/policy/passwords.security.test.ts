import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { admin, emailOTP } from "better-auth/plugins";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { runWithTenant } from "../../src/index.ts";
import { policyWorld } from "./support/policy-world.ts";

const ADA = "ada@example.com";
const SHORT = "short-pw-9";
const LONG = "a much longer password";

/** A server with the interface of Have I Been Pwned. */
const breachServer = async (known: string[]) => {
	const asked: string[] = [];
	let isDown = false;
	const server = createServer((request, response) => {
		const prefix = request.url?.split("/").at(-1) ?? "";
		asked.push(prefix);
		if (isDown) return void response.writeHead(503).end();
		const lines = known
			.map((password) => createHash("sha1").update(password).digest("hex").toUpperCase())
			.filter((digest) => digest.startsWith(prefix))
			.map((digest) => `${digest.slice(5)}:3`);
		// padding: a count of 0 is no breach
		const safe = createHash("sha1").update(LONG).digest("hex").toUpperCase();
		response.end([...lines, `${safe.slice(5)}:0`].join("\r\n"));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/range/`,
		asked,
		fail: () => {
			isDown = true;
		},
	};
};

describe("the password rules of a tenant", () => {
	// threat 115
	it("hold in each tenant that one request stores a password in", async () => {
		const storing: BetterAuthPlugin = {
			id: "storing",
			endpoints: {
				storeInBoth: createAuthEndpoint(
					"/store-in-both",
					{ method: "POST", body: z.record(z.string(), z.string()) },
					async (ctx) => {
						const { internalAdapter, password } = ctx.context;
						const hash = await password.hash(SHORT);
						for (const [tenant, userId] of Object.entries(ctx.body))
							await runWithTenant(tenant, () => internalAdapter.updatePassword(userId, hash));
						return ctx.json({});
					},
				),
			},
		};
		const { a, b, set, signUp, call, whoami, signIn } = await policyWorld({ plugins: [storing] });
		const body: Record<string, string> = {};
		for (const tenant of [a, b]) body[tenant] = (await whoami(await signUp(tenant, ADA))).user.id;
		await set(b, { minPasswordLength: 12 });
		const answer = await call("/store-in-both", { tenant: a, body });
		expect([answer.status, answer.code]).toEqual([400, "POLICY_PASSWORD_TOO_SHORT"]);
		expect((await signIn(a, ADA, { password: SHORT })).status).toBe(200);
		expect((await signIn(b, ADA, { password: SHORT })).status).toBe(401);
	});

	// threat 115
	it("hold wherever a password is set, and in its tenant only", async () => {
		const codes: string[] = [];
		const { a, b, set, signUp, call, lastMail, signIn, database } = await policyWorld({
			plugins: [admin(), emailOTP({ sendVerificationOTP: async ({ otp }) => void codes.push(otp) })],
		});
		const ada = await signUp(a, ADA);
		await signUp(b, ADA);
		await database.query(`update "user" set "role" = 'admin' where "tenantId" = '${a}'`);
		await set(a, { minPasswordLength: 15 });
		const body = { name: "Bob", email: "bob@example.com", password: SHORT };
		const tooShort = (answer: { status: number; code: string | undefined }) =>
			expect([answer.status, answer.code]).toEqual([400, "POLICY_PASSWORD_TOO_SHORT"]);
		// the same for a taken email
		for (const email of [ADA, "bob@example.com"])
			tooShort(await call("/sign-up/email", { tenant: a, body: { ...body, email } }));
		tooShort(await call("/tenant/sign-up/email", { tenant: a, body }));
		tooShort(await call("/change-password", { browser: ada, body: { currentPassword: PASSWORD, newPassword: SHORT } }));
		await call("/request-password-reset", { tenant: a, body: { email: ADA } });
		const reset = (newPassword: string) =>
			call("/reset-password", { body: { token: lastMail("reset").token, newPassword } });
		tooShort(await reset(SHORT));
		// the token was not used up
		expect((await reset(LONG)).status).toBe(200);
		await call("/email-otp/request-password-reset", { tenant: a, body: { email: ADA } });
		tooShort(
			await call("/email-otp/reset-password", { tenant: a, body: { email: ADA, otp: codes.at(-1), password: SHORT } }),
		);
		const [user] = await database.query(`select "id" from "user" where "tenantId" = '${a}'`);
		tooShort(await call("/admin/set-user-password", { browser: ada, body: { userId: user?.id, newPassword: SHORT } }));
		tooShort(await call("/admin/create-user", { browser: ada, body }));
		expect((await signIn(a, ADA, { password: LONG })).status).toBe(200);
		expect((await call("/sign-up/email", { tenant: b, body })).status).toBe(200);
	});

	// threat 115
	it("hold at endpoints that are not known, where the password is stored", async () => {
		const unlisted = {
			id: "unlisted",
			endpoints: {
				setIt: createAuthEndpoint("/sign-in/unlisted", { method: "POST" }, async (ctx) => {
					const { context } = ctx;
					const found = await context.internalAdapter.findUserByEmail(ADA);
					const hash = ctx.body.hash ?? (await context.password.hash(ctx.body.secret));
					await context.internalAdapter.updatePassword(found?.user.id ?? "", hash);
					return ctx.json({ done: true });
				}),
			},
		};
		const { a, b, set, signUp, call, signIn } = await policyWorld({ plugins: [unlisted] });
		for (const tenant of [a, b]) await signUp(tenant, ADA);
		await set(a, { minPasswordLength: 15 });
		const setIt = (tenant: string, body: object) => call("/sign-in/unlisted", { tenant, body });
		expect((await setIt(a, { secret: SHORT })).code).toBe("POLICY_PASSWORD_TOO_SHORT");
		expect((await setIt(a, { hash: createHash("sha256").update(SHORT).digest("hex") })).code).toBe(
			"POLICY_PASSWORD_TOO_WEAK",
		);
		expect((await setIt(b, { secret: SHORT })).json).toEqual({ done: true });
		expect((await setIt(a, { secret: LONG })).json).toEqual({ done: true });
		expect([
			(await signIn(a, ADA, { password: LONG })).status,
			(await signIn(b, ADA, { password: SHORT })).status,
		]).toEqual([200, 200]);
	});

	// threat 115
	it("do not change what a sign-in says, so users with an old password can change it", async () => {
		const server = await breachServer([PASSWORD]);
		const { a, b, set, signUp, signIn, call } = await policyWorld({
			policy: { breachedPasswords: { url: server.url } },
		});
		for (const tenant of [a, b]) await signUp(tenant, ADA);
		await set(a, { minPasswordLength: 40, refuseBreachedPasswords: true });
		expect((await signIn(a, ADA)).status).toBe(200);
		const [known, unknown] = [
			await signIn(a, ADA, { password: "wrong" }),
			await signIn(a, "nobody@example.com", { password: "wrong" }),
		];
		expect([unknown.status, unknown.json]).toEqual([known.status, known.json]);
		expect(server.asked).toEqual([]);
		expect((await call("/request-password-reset", { tenant: a, body: { email: ADA } })).status).toBe(200);
	});

	// threat 115
	it("refuse passwords of data breaches, without sending them", async () => {
		const server = await breachServer([PASSWORD]);
		const { a, b, set, call } = await policyWorld({ policy: { breachedPasswords: { url: server.url } } });
		await set(a, { refuseBreachedPasswords: true });
		const signUp = (tenant: string, password: string, email = ADA) =>
			call("/sign-up/email", { tenant, body: { name: "Ada", email, password } });
		expect((await signUp(a, PASSWORD)).code).toBe("POLICY_PASSWORD_BREACHED");
		expect((await signUp(b, PASSWORD)).status).toBe(200);
		expect((await signUp(a, LONG)).status).toBe(200);
		// once per request, and five characters only
		expect(server.asked).toHaveLength(2);
		for (const sent of server.asked) expect(sent).toMatch(/^[0-9A-F]{5}$/);
		server.fail();
		const late = await signUp(a, LONG, "bob@example.com");
		expect([late.status, late.code]).toEqual([503, "PASSWORD_CHECK_UNAVAILABLE"]);
	});

	it("accept passwords while the breach server is down, if the application says so", async () => {
		const server = await breachServer([PASSWORD]);
		const { a, b, set, signUp, logs } = await policyWorld({
			policy: { breachedPasswords: { url: server.url, onFailure: "allow" } },
		});
		await set(a, { refuseBreachedPasswords: true });
		server.fail();
		await signUp(a, ADA);
		await signUp(b, ADA);
		expect(logs.join("\n")).toContain("breachedPasswords.url failed");
		expect(logs.join("\n")).not.toContain(PASSWORD);
	});

	it("use the application's score, and refuse what it cannot score", async () => {
		const { a, b, set, signUp, call } = await policyWorld({
			policy: {
				passwordScore: (password) => {
					if (password.includes("boom")) throw new Error("boom");
					return password.length > 20 ? 4 : 1;
				},
			},
		});
		await set(a, { minPasswordScore: 3 });
		const code = async (tenant: string, password: string) =>
			(await call("/sign-up/email", { tenant, body: { name: "Ada", email: ADA, password } })).code;
		expect(await code(a, SHORT)).toBe("POLICY_PASSWORD_TOO_WEAK");
		expect(await code(a, "boom boom boom boom boom")).toBe("POLICY_PASSWORD_TOO_WEAK");
		await signUp(a, ADA, "a very very very long password");
		await signUp(b, ADA, SHORT);
		const without = await policyWorld();
		expect((await without.update(without.a, { minPasswordScore: 1 })).text).toContain("passwordScore");
		expect((await without.update(without.a, { minPasswordLength: 20, maxPasswordLength: 10 })).code).toBe(
			"INVALID_POLICY",
		);
	});
});
