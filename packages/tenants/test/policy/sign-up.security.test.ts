import { admin, magicLink } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { policyWorld } from "./support/policy-world.ts";

const ADA = "ada@acme.com";

describe("sign-up under a policy", () => {
	// threat 115
	it("is closed in every way, the same for an email that has an account, and in its tenant only", async () => {
		const links: string[] = [];
		const { a, b, set, signUp, signIn, call, database } = await policyWorld({
			plugins: [admin(), magicLink({ sendMagicLink: async ({ url }) => void links.push(url) })],
		});
		const ada = await signUp(a, ADA);
		await set(a, { signUp: "closed" });
		const body = { name: "Eve", email: "eve@acme.com", password: PASSWORD };
		const answers = await Promise.all(
			[ADA, "eve@acme.com"].map((email) => call("/sign-up/email", { tenant: a, body: { ...body, email } })),
		);
		for (const { status, code } of answers) expect([status, code]).toEqual([403, "SIGN_UP_NOT_ALLOWED"]);
		await call("/sign-in/magic-link", { tenant: a, body: { email: "eve@acme.com" } });
		const browser = new Browser();
		await call(links.at(-1) ?? "", { browser });
		expect((await call("/get-session", { browser })).json).toBeNull();
		expect(await database.query(`select "id" from "user" where "tenantId" = '${a}'`)).toHaveLength(1);
		// users who exist sign in, and an admin creates users
		expect((await signIn(a, ADA)).status).toBe(200);
		await database.query(`update "user" set "role" = 'admin' where "tenantId" = '${a}'`);
		expect((await call("/admin/create-user", { browser: ada, body })).status).toBe(200);
		expect((await call("/sign-up/email", { tenant: b, body })).status).toBe(200);
	});

	// threat 115
	it("is open to the tenant's email domains, and emails cannot leave them", async () => {
		const { a, b, set, signUp, call, lastMail, database } = await policyWorld();
		await set(a, { emailDomains: ["ACME.com"] });
		const signUpAs = async (tenant: string, email: string) =>
			(await call("/sign-up/email", { tenant, body: { name: "Eve", email, password: PASSWORD } })).code;
		for (const email of ["eve@evil.com", "eve@sub.acme.com", "eve@acme.com.evil.com", "eve@notacme.com"])
			expect([email, await signUpAs(a, email)]).toEqual([email, "EMAIL_DOMAIN_NOT_ALLOWED"]);
		expect(await signUpAs(b, "eve@evil.com")).toBeUndefined();
		const ada = await signUp(a, "Ada@Acme.com");
		await database.query(`update "user" set "emailVerified" = 1`);
		await call("/change-email", { browser: ada, body: { newEmail: "ada@evil.com" } });
		await call(lastMail("change").url, { browser: ada });
		const answer = await call(lastMail("verify").url, { browser: ada });
		expect(answer.code).toBe("EMAIL_DOMAIN_NOT_ALLOWED");
		expect(await database.query(`select "email" from "user" where "tenantId" = '${a}'`)).toEqual([{ email: ADA }]);
	});

	// threat 115
	it("by domain requires that the email is verified", async () => {
		const open = await policyWorld();
		const rules = { signUp: "domain", emailDomains: ["acme.com"] };
		expect((await open.update(open.a, rules)).text).toContain("requireEmailVerification");
		const { a, b, set, update, call, lastMail, database } = await policyWorld({
			engine: {
				emailAndPassword: { enabled: true, requireEmailVerification: true },
			},
		});
		expect((await update(a, { signUp: "domain" })).text).toContain("emailDomains");
		await set(a, rules);
		const made = await call("/sign-up/email", { tenant: a, body: { name: "Ada", email: ADA, password: PASSWORD } });
		expect([made.status, made.json.token]).toEqual([200, null]);
		const browser = new Browser();
		await call(lastMail("verify").url, { browser });
		expect((await call("/get-session", { browser })).json.user.email).toBe(ADA);
		expect(await database.query(`select "id" from "user" where "tenantId" = '${b}'`)).toEqual([]);
	});

	// threat 115
	it("by invitation needs the plugin that manages invitations", async () => {
		const { a, update } = await policyWorld();
		expect((await update(a, { signUp: "invitation" })).text).toContain("invitation");
	});
});

it("limits the requests of its tenant only", async () => {
	const { a, b, set, signUp, call } = await policyWorld({ engine: { rateLimit: { enabled: true, max: 1000 } } });
	const [ada, bob] = [await signUp(a, ADA), await signUp(b, ADA)];
	await set(a, { rateLimit: { window: 600, max: 3 } });
	const statuses = async (browser: Browser) => {
		const seen: number[] = [];
		for (let count = 0; count < 5; count += 1) seen.push((await call("/get-session", { browser })).status);
		return seen;
	};
	expect(await statuses(ada)).toEqual([200, 200, 200, 429, 429]);
	expect(await statuses(bob)).toEqual([200, 200, 200, 200, 200]);
	// operators still can change the policy
	await set(a, { rateLimit: null });
	expect((await call("/get-session", { browser: ada })).status).toBe(200);
});

// threat 159
it("does not let strangers use up the limit of signed-in users, nor one address that of strangers", async () => {
	const { a, b, set, signUp, call } = await policyWorld({ engine: { rateLimit: { enabled: true, max: 1000 } } });
	const [ada, bob] = [await signUp(a, ADA), await signUp(b, ADA)];
	await set(a, { rateLimit: { window: 600, max: 8 } });
	const knock = async (address: string, browser?: Browser) =>
		(await call("/get-session", { tenant: a, browser, headers: { "x-forwarded-for": address } })).status;
	const from = async (addresses: string[], browser?: Browser) => {
		const seen: number[] = [];
		for (const address of addresses) seen.push(await knock(address, browser));
		return seen;
	};
	// a cookie that this tenant did not sign is a stranger's
	expect(await from(Array(3).fill("203.0.113.1"), bob)).toEqual([200, 200, 429]);
	expect(await from(Array(4).fill("203.0.113.2"))).toEqual([200, 200, 429, 429]);
	expect((await from(Array.from({ length: 9 }, (_, number) => `198.51.100.${number}`))).at(-1)).toBe(429);
	expect(await from(Array(8).fill("203.0.113.2"), ada)).toEqual(Array(8).fill(200));
	expect((await call("/get-session", { browser: bob })).status).toBe(200);
});
