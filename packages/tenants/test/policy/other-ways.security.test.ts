import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { INSIDE, manyWaysWorld, OUTSIDE } from "./support/many-ways-world.ts";

describe.each(["sqlite", "postgres"] as const)("ID tokens, One Tap, guests and devices (%s)", (database) => {
	it.each([
		["excludes their methods", { methods: ["password"] }, INSIDE, 403, "SIGN_IN_METHOD_NOT_ALLOWED"],
		["has another network", { ipRanges: ["203.0.113.0/24"] }, OUTSIDE, 403, "IP_ADDRESS_NOT_ALLOWED"],
		["is suspended", null, INSIDE, 403, "TENANT_SUSPENDED"],
	] as const)("get no session in a tenant that %s", async (_, policy, ip, status, code) => {
		const world = await manyWaysWorld({ database });
		const { a, b, set, prepare, sessions, ok } = world;
		const [mine, theirs] = [await prepare(a.tenant, a.browser), await prepare(b.tenant, b.browser)];
		if (policy) await set(a.tenant, policy);
		else await ok("/tenant/suspend", { operator: true, body: { tenantId: a.tenant, reason: "unpaid" } });
		const before = (await sessions(a.tenant)).length;
		for (const [way, attempt] of Object.entries(mine)) {
			const answer = await attempt(ip);
			expect([way, answer.status, answer.code]).toEqual([way, status, code]);
			expect([way, [...answer.visitor.cookies.keys()].filter((name) => name.includes("session"))]).toEqual([way, []]);
		}
		expect((await sessions(a.tenant)).length).toBe(before);
		// the neighbor's users are let in by all of them
		for (const [way, attempt] of Object.entries(theirs)) expect([way, (await attempt(ip)).status]).toEqual([way, 200]);
	});

	// threat 117
	it("get a session that can only set up a second factor where one is required", async () => {
		const { a, b, set, prepare, call, from } = await manyWaysWorld({ database });
		const [mine, theirs] = [await prepare(a.tenant, a.browser), await prepare(b.tenant, b.browser)];
		await set(a.tenant, { secondFactor: "required" });
		for (const [way, attempt] of Object.entries(mine)) {
			const { json, status, visitor } = await attempt(INSIDE);
			expect([way, status, json.secondFactor, json.user]).toEqual([way, 200, "enroll", undefined]);
			const token = (json as { access_token?: string }).access_token;
			const headers = { ...from(INSIDE).headers, ...(token ? { authorization: `Bearer ${token}` } : {}) };
			const listed = await call("/list-sessions", { browser: visitor, headers });
			expect([way, listed.status, listed.code]).toEqual([way, 401, "SECOND_FACTOR_REQUIRED"]);
		}
		for (const [way, attempt] of Object.entries(theirs))
			expect([way, (await attempt(INSIDE)).json.secondFactor]).toEqual([way, undefined]);
	});
});

describe("a guest who becomes a user", () => {
	// threat 114
	it("keeps nothing of a guest session that ended, was never complete or is another tenant's", async () => {
		const { a, b, set, ok, call, linked, from, users } = await withUsers();
		const guest = async (tenant: string): Promise<Browser> => {
			const browser = new Browser();
			await ok("/sign-in/anonymous", { tenant, browser, body: {}, ...from(INSIDE) });
			return browser;
		};
		const signIn = (tenant: string, browser: Browser) =>
			call("/sign-in/email", {
				tenant,
				browser,
				body: { email: "ada@example.com", password: PASSWORD },
				...from(INSIDE),
			});
		// as the plugin means it
		await signIn(a.tenant, await guest(a.tenant));
		expect(linked.splice(0)).toEqual([{ from: a.tenant, to: a.tenant }]);

		const neighbor = await guest(b.tenant);
		const before = (await users(b.tenant)).length;
		await signIn(a.tenant, neighbor);
		expect([linked, (await users(b.tenant)).length]).toEqual([[], before]);

		const ended = await guest(a.tenant);
		await set(a.tenant, { methods: ["password"] });
		expect((await signIn(a.tenant, ended)).status).toBe(200);
		expect(linked).toEqual([]);

		await set(a.tenant, { methods: null });
		const incomplete = await guest(a.tenant);
		await set(a.tenant, { secondFactor: "required" });
		expect((await signIn(a.tenant, incomplete)).json.secondFactor).toBe("enroll");
		expect(linked).toEqual([]);
	});
});

describe("a user whom a directory created", () => {
	// threat 114
	it("signs in as the policy says, also with a password that they set by mail", async () => {
		const { a, b, set, provision, call, from, lastMail } = await manyWaysWorld();
		await set(a.tenant, { methods: ["sso"], signUp: "closed", ipRanges: ["203.0.113.0/24"] });
		for (const { tenant } of [a, b]) {
			expect((await provision(tenant, "eve@corp.example")).status).toBe(201);
			const asked = { email: "eve@corp.example", redirectTo: "/reset" };
			await call("/request-password-reset", { tenant, body: asked, ...from(INSIDE) });
			const body = { token: lastMail("reset").token, newPassword: PASSWORD };
			await call("/reset-password", { body, ...from(INSIDE) });
			const credentials = { email: "eve@corp.example", password: PASSWORD };
			const signedIn = await call("/sign-in/email", { tenant, body: credentials, ...from(INSIDE) });
			expect([signedIn.status, signedIn.code]).toEqual(
				tenant === a.tenant ? [403, "SIGN_IN_METHOD_NOT_ALLOWED"] : [200, undefined],
			);
		}
	});
});

describe("an authorization code", () => {
	// threats 107, 114
	it("is worth nothing after its tenant is suspended, or excludes how its user signed in", async () => {
		const { a, b, set, codeOf, redeem, ok, call, from, authorize } = await manyWaysWorld();
		const change = (verb: string) =>
			ok(`/tenant/${verb}`, { operator: true, body: { tenantId: a.tenant, reason: "unpaid" } });
		const [early, late, theirs] = [await codeOf(a), await codeOf(a), await codeOf(b)];
		await change("suspend");
		expect((await redeem(a.client, early)).code).toBe("TENANT_SUSPENDED");
		expect((await authorize(a.client, a)).searchParams.get("code")).toBeNull();
		expect((await redeem(b.client, theirs)).status).toBe(200);
		await change("restore");
		await set(a.tenant, { methods: ["passkey"] });
		expect((await call("/get-session", { browser: a.browser.copy(), ...from(INSIDE) })).json).toBeNull();
		const redeemed = await redeem(a.client, late);
		expect([redeemed.status, Object.keys(redeemed.json).filter((name) => name.endsWith("_token"))]).toEqual([400, []]);
		expect((await authorize(a.client, a)).searchParams.get("code")).toBeNull();
	});

	// threat 117
	it("is not issued where its user lacks a second factor, and one from before gives no tokens", async () => {
		const { a, b, set, codeOf, redeem, authorize } = await manyWaysWorld();
		const [mine, theirs] = [await codeOf(a), await codeOf(b)];
		await set(a.tenant, { secondFactor: "required" });
		expect((await authorize(a.client, a)).searchParams.get("code")).toBeNull();
		expect((await authorize(b.client, b)).searchParams.get("code")).not.toBeNull();
		expect((await redeem(a.client, mine, {}, b.tenant)).status).not.toBe(200);
		const [refused, redeemed] = [await redeem(a.client, mine), await redeem(b.client, theirs)];
		expect([refused.status, refused.json.error, redeemed.status]).toEqual([400, "invalid_grant", 200]);
	});
});

const withUsers = async () => {
	const world = await manyWaysWorld();
	const users = (tenantId: string) => world.database.query(`select "id" from "user" where "tenantId" = '${tenantId}'`);
	return { ...world, users };
};
