import { organization } from "better-auth/plugins/organization";
import { phoneNumber } from "better-auth/plugins/phone-number";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { isFixed } from "./support/is-fixed.ts";

/*
 * Attacks that the installed version of the engine allows inside a tenant, or has fixed: see docs/engine-versions.md. They
 * never reach the other tenant.
 */

it("a link that changes an email takes over the next account of that address, until it is fixed", async () => {
	const world = await createWorld();
	const fixed = await isFixed(world, "user.changeEmail");
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	const neighbor = await world.signUp(b, "victim@example.com");
	const mallory = await world.signUp(a, "victim@example.com");
	const links = [];
	for (const newEmail of ["m1@example.com", "m2@example.com"]) {
		await world.call("/change-email", { browser: mallory, body: { newEmail } });
		links.push(world.lastMail("verify").token);
	}
	const open = (token: string | undefined, browser: Browser) =>
		world.call("/verify-email", { browser, query: { token: token ?? "" } });
	// frees the address
	expect((await open(links[0], new Browser())).status).toBe(200);
	const victim = await world.signUp(a, "victim@example.com");
	const victimId = (await world.call("/get-session", { browser: victim })).json.user.id;

	const attacker = new Browser();
	const opened = await open(links[1], attacker);
	expect([opened.status, opened.code]).toEqual(fixed ? [401, "INVALID_TOKEN"] : [200, undefined]);
	const session = (await world.call("/get-session", { browser: attacker })).json;
	expect(session?.user.id).toBe(fixed ? undefined : victimId);
	const [row] = await world.database.query(`select "email" from "user" where "id" = '${victimId}'`);
	expect(row?.email).toBe(fixed ? "victim@example.com" : "m2@example.com");

	expect((await world.call("/get-session", { browser: neighbor })).json.user.email).toBe("victim@example.com");
});

type Invitation = { id: string; email: string; status: string };

/** An organization in each tenant, whose owner invites others. */
const createOrganizations = async () => {
	const invitations = new Map<string, string>();
	const world = await composedWorld([
		organization({ sendInvitationEmail: async ({ id, email }) => void invitations.set(email, id) }),
	]);
	const { a, b, ok, call } = world;
	const create = async (tenant: string) => {
		const owner = await world.signUp(tenant, "owner@example.com");
		const body = { name: "Board", slug: "board" };
		return { owner, organizationId: (await ok("/organization/create", { browser: owner, body })).json.id };
	};
	const [here, there] = [await create(a), await create(b)];
	const { organizationId } = here;
	const invite = (browser: Browser, email: string, role: string) =>
		call("/organization/invite-member", { browser, body: { email, role, organizationId } });
	const accept = (browser: Browser, email: string) =>
		call("/organization/accept-invitation", { browser, body: { invitationId: invitations.get(email) } });
	const join = async (name: string, role: string): Promise<Browser> => {
		const email = `${name}@example.com`;
		await invite(here.owner, email, role);
		const browser = await world.signUp(a, email);
		expect((await accept(browser, email)).status).toBe(200);
		return browser;
	};
	const membersIn = async (tenant: string): Promise<string[]> =>
		(
			await world.database.query(
				`select "user"."email", "member"."role" from "member" join "user" on "user"."id" = "member"."userId" where "member"."tenantId" = '${tenant}'`,
			)
		).map(({ email, role }) => `${email} ${role}`);
	return { world, a, b, here, there, organizationId, invite, accept, join, membersIn };
};

describe("an organization", () => {
	it("gets an owner whom an admin invites, until it is fixed", async () => {
		const { world, a, b, invite, accept, join, membersIn } = await createOrganizations();
		const fixed = await isFixed(world, "organization: roles");
		const admin = await join("admin", "admin");
		expect((await invite(admin, "second@example.com", "owner")).status).toBe(403);

		const invited = await invite(admin, "second@example.com", "admin, owner");
		expect([invited.status, invited.code]).toEqual(
			fixed ? [403, "YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE"] : [200, undefined],
		);
		const second = await world.signUp(a, "second@example.com");
		expect((await accept(second, "second@example.com")).status).toBe(fixed ? 400 : 200);
		expect((await membersIn(a)).filter((member) => member.startsWith("second@"))).toEqual(
			fixed ? [] : ["second@example.com admin, owner"],
		);
		expect(await membersIn(b)).toEqual(["owner@example.com owner"]);
	});

	it("shows its invitations to every member, who can accept them, until it is fixed", async () => {
		const { world, a, here, there, organizationId, invite, join, membersIn } = await createOrganizations();
		const fixed = await isFixed(world, "organization: invitations");
		const member = await join("member", "member");
		await invite(here.owner, "boss@example.com", "admin");
		const query = { organizationId };

		const list = await world.call("/organization/list-invitations", { browser: member, query });
		expect(list.status).toBe(fixed ? 403 : 200);
		const full = await world.call("/organization/get-full-organization", { browser: member, query });
		const { invitations }: { invitations: Invitation[] } = JSON.parse(full.text);
		const pending = invitations.filter(({ status }) => status === "pending");
		expect(pending.map(({ email }) => email)).toEqual(fixed ? [] : ["boss@example.com"]);
		if (!fixed) {
			// an address that nobody has verified is enough
			const browser = await world.signUp(a, "boss@example.com");
			const body = { invitationId: pending[0]?.id };
			expect((await world.call("/organization/accept-invitation", { browser, body })).status).toBe(200);
			expect(await membersIn(a)).toContain("boss@example.com admin");
		}

		// the owner of the other tenant's organization sees none of them
		const elsewhere = await world.call("/organization/list-invitations", { browser: there.owner, query });
		expect(elsewhere.status).toBeGreaterThanOrEqual(400);
		expect(elsewhere.text).not.toContain("boss@example.com");
	});
});

it("an origin with a wildcard in an IP address matches a host name, until it is fixed", async () => {
	const world = await createWorld({ engine: { trustedOrigins: ["http://192.168.*"] } });
	const fixed = await isFixed(world, "trustedOrigins with wildcards");
	for (const tenant of [await world.newTenant(), await world.newTenant()]) {
		await world.signUp(tenant, "ada@example.com");
		const reset = (redirectTo: string) =>
			world.call("/request-password-reset", { tenant, body: { email: "ada@example.com", redirectTo } });
		expect((await reset("http://192.168.0.7/reset")).status).toBe(200);
		expect((await reset("http://192.168.attacker.example/reset")).status).toBe(fixed ? 403 : 200);
		expect((await reset("http://attacker.example/reset")).status).toBe(403);
	}
});

it("a phone number that another user signed up with leads to that user's account, until it is fixed", async () => {
	const codes = new Map<string, string>();
	const world = await composedWorld([
		phoneNumber({ sendOTP: ({ phoneNumber: number, code }) => void codes.set(number, code) }),
	]);
	const { a, b, call } = world;
	const fixed = await isFixed(world, "phoneNumber: sign-up");
	const number = "+15550100";
	const body = {
		name: "Mallory",
		email: "mallory@example.com",
		password: "correct horse battery",
		phoneNumber: number,
	};
	const signedUp = await call("/sign-up/email", { tenant: a, body });
	expect(signedUp.status).toBe(fixed ? 400 : 200);
	// the number belongs to a user who has no account yet
	for (const tenant of [a, b]) {
		await call("/phone-number/send-otp", { tenant, body: { phoneNumber: number } });
		const browser = new Browser();
		await call("/phone-number/verify", { tenant, browser, body: { phoneNumber: number, code: codes.get(number) } });
		const session = (await call("/get-session", { browser })).json;
		expect(session?.user.email).toBe(tenant === a && !fixed ? "mallory@example.com" : undefined);
	}
});
