import { magicLink } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantPolicy } from "../../src/policy.ts";
import { invitingWorld, outcome } from "../invitations/support/inviting-world.ts";

const ADA = "ada@example.com";
const EVE = "eve@example.com";

const invitedOnly = async () => {
	const links: string[] = [];
	const world = await invitingWorld({
		plugins: [magicLink({ sendMagicLink: async ({ url }) => void links.push(url) }), tenantPolicy()],
	});
	const { a, call } = world;
	const change = (tenantId: string, policy: object, by: object = { operator: true }) =>
		call("/tenant/policy/update", { ...by, body: { tenantId, policy } });
	expect((await change(a, { signUp: "invitation" })).status).toBe(200);
	const signUp = (tenant: string, email: string) =>
		call("/sign-up/email", { tenant, body: { name: "Eve", email, password: PASSWORD } });
	/** Signs up with a link in an email, and says whether there is a session. */
	const byLink = async (tenant: string, email: string): Promise<boolean> => {
		await call("/sign-in/magic-link", { tenant, body: { email } });
		const browser = new Browser();
		await call(links.at(-1) ?? "", { browser });
		return (await call("/get-session", { browser })).json !== null;
	};
	return { ...world, change, signUp, byLink };
};

describe("a tenant that only invited users can join", () => {
	// threat 115
	it("admits a token, and a verified address with an open invitation, once", async () => {
		const { a, b, invite, tokenFor, accept, byLink, signUp, users, rows } = await invitedOnly();
		expect(outcome(await accept(await tokenFor(a, ADA)))).toEqual([200, undefined]);
		await invite({ tenantId: a, email: "bob@example.com" });
		expect(await byLink(a, "bob@example.com")).toBe(true);
		expect(await rows("tenantInvitation")).toEqual([]);
		// an invitation of the neighbor admits nobody here
		await invite({ tenantId: b, email: EVE });
		expect(await byLink(a, EVE)).toBe(false);
		expect(outcome(await signUp(a, EVE))).toEqual([403, "SIGN_UP_NOT_ALLOWED"]);
		expect((await users()).filter(({ tenantId }) => tenantId === a).map(({ email }) => email)).toEqual([
			ADA,
			"bob@example.com",
		]);
		// the neighbor is open
		expect(outcome(await signUp(b, "carol@example.com"))).toEqual([200, undefined]);
	});

	// threat 115
	it("admits nobody who only knows an invited address", async () => {
		const { a, invite, signUp, users } = await invitedOnly();
		await invite({ tenantId: a, email: ADA, role: "owner" });
		expect(outcome(await signUp(a, ADA))).toEqual([403, "SIGN_UP_NOT_ALLOWED"]);
		expect(await users()).toEqual([]);
	});

	// threat 110
	it("lets owners change the policy, admins read it, and nobody that of a neighbor", async () => {
		const { a, b, member, change, call } = await invitedOnly();
		const [owner, admin, plain] = [
			await member(a, ADA, "owner"),
			await member(a, "bob@example.com", "admin"),
			await member(a, EVE, "member"),
		];
		const statuses = async (browser: Browser, tenantId: string) => [
			(await call(`/tenant/policy/get?tenantId=${tenantId}`, { browser })).status,
			(await change(tenantId, { minPasswordLength: 12 }, { browser })).status,
		];
		expect(await statuses(owner, a)).toEqual([200, 200]);
		expect(await statuses(admin, a)).toEqual([200, 403]);
		expect(await statuses(plain, a)).toEqual([403, 403]);
		for (const browser of [owner, admin, plain]) expect(await statuses(browser, b)).toEqual([403, 403]);
	});

	// threat 116
	it("applies the password rules to invited users and to users whom an admin creates", async () => {
		const { a, tokenFor, accept, change, call, users } = await invitedOnly();
		await change(a, { minPasswordLength: 40 });
		const token = await tokenFor(a, ADA);
		expect(outcome(await accept(token))).toEqual([400, "POLICY_PASSWORD_TOO_SHORT"]);
		const body = { tenantId: a, email: EVE, name: "Eve", password: PASSWORD };
		expect(outcome(await call("/tenant/user/create", { operator: true, body }))).toEqual([
			400,
			"POLICY_PASSWORD_TOO_SHORT",
		]);
		expect(await users()).toEqual([]);
		// the token is still valid
		expect(
			outcome(
				await accept(token, { fields: { name: "Ada", password: `${PASSWORD} and more words to be long enough` } }),
			),
		).toEqual([200, undefined]);
	});
});
