import type { GenericEndpointContext } from "@better-auth/core";
import { type AuditEntry, runWithTenant } from "better-auth-tenants";
import { Browser } from "test-kit/browser";
import { describe, expect, it } from "vitest";
import { invitationAdmission } from "../../src/features/invitations/admission.ts";
import { type InvitingWorld, invitingWorld, outcome } from "./support/inviting-world.ts";

const ADA = "ada@example.com";
const STORES = [{ database: "sqlite" }, { database: "postgres", redis: true }] as const;

const userOf = async (world: InvitingWorld, tenant: string, email = ADA) =>
	(await world.rows("user")).find((row) => row.tenantId === tenant && row.email === email);

describe.each(STORES)("the user who accepts, on %o", (store) => {
	/** A member with a session, whom another process changes after the session was read. */
	const memberChanged = async (set: string) => {
		const world = await invitingWorld(store);
		const { a, b } = world;
		await world.member(a, "owner@example.com", "owner");
		const [mine, neighbor] = [await world.member(a, ADA, "member"), await world.member(b, ADA, "member")];
		const [token, other] = [await world.tokenFor(a, ADA, "admin"), await world.tokenFor(b, ADA, "admin")];
		const { id } = (await userOf(world, a)) ?? {};
		await world.database.query(`update "user" set ${set} where "id" = '${id}'`);
		return { world, a, b, mine, neighbor, token, other };
	};

	// threat 112
	it("keeps a higher role that the session does not know of", async () => {
		const { world, a, b, mine, neighbor, token, other } = await memberChanged(`"role" = 'owner'`);
		expect((await world.acceptAs(mine, token)).status).toBe(200);
		expect((await userOf(world, a))?.role).toBe("owner");
		expect((await world.acceptAs(neighbor, other)).status).toBe(200);
		expect((await userOf(world, b))?.role).toBe("admin");
	});

	// threat 112
	it.each([
		[`"banned" = true`, [401, "INVITATION_SIGN_IN_REQUIRED"]],
		[`"email" = 'moved@example.com'`, [403, "INVITATION_EMAIL_MISMATCH"]],
		[`"emailVerified" = false`, [403, "INVITATION_EMAIL_NOT_VERIFIED"]],
	] as const)("gets no role by a session from before: %s", async (set, refusal) => {
		const { world, a, mine, token } = await memberChanged(set);
		expect(outcome(await world.acceptAs(mine, token))).toEqual(refusal);
		const roles = (await world.users()).filter(({ tenantId }) => tenantId === a).map(({ role }) => role);
		expect(roles.sort()).toEqual(["member", "owner"]);
		// the invitation is not used up
		expect((await world.call("/tenant/invitation/get", { query: { token } })).status).toBe(200);
	});
});

describe("an admin", () => {
	// threat 113
	it.each(["resend", "revoke"] as const)(
		"cannot %s an invitation that became an owner's during the call",
		async (verb) => {
			let during: (entry: AuditEntry) => Promise<unknown> = async () => {};
			const world = await invitingWorld({
				management: { audit: (entry: AuditEntry) => during(entry).then(() => undefined) },
			});
			const { a } = world;
			const browser = await world.member(a, "admin@example.com", "admin");
			await world.tokenFor(a, ADA, "member");
			await world.tokenFor(world.b, ADA, "member");
			const row = (await world.rows("tenantInvitation")).find(({ tenantId }) => tenantId === a);
			const body = { tenantId: a, id: row?.id };
			let owners = "";
			during = async ({ action, outcome: result }) => {
				if (action !== `invitation:${verb}` || result !== "allowed") return;
				during = async () => {};
				await world.call("/tenant/invitation/revoke", { operator: true, body });
				owners = await world.tokenFor(a, ADA, "owner");
			};
			const refused = await world.call(`/tenant/invitation/${verb}`, { browser, body });
			expect(outcome(refused)).toEqual([404, "INVITATION_NOT_FOUND"]);
			expect(world.sent.at(-1)).toMatchObject({ token: owners, role: "owner", inviter: null });
			expect((await world.accept(owners, { browser: new Browser() })).status).toBe(200);
		},
	);
});

describe.each(["sqlite", "mysql"] as const)("an address that only looks like the invited one, on %s", (database) => {
	// threat 112
	it("is not admitted and uses nothing up", async () => {
		const world = await invitingWorld({ database });
		const { a, b } = world;
		await world.tokenFor(a, ADA);
		await world.tokenFor(b, ADA);
		const { admits, markUsed } = invitationAdmission({ context: await world.auth.$context } as GenericEndpointContext);
		for (const email of ["\u00e1da@example.com", "ada@example.com ", "a\u0301da@example.com", "\uff41da@example.com"]) {
			const newcomer = { tenantId: a, email, emailVerified: true };
			expect([email, await runWithTenant(a, () => admits(newcomer))]).toEqual([email, false]);
			await runWithTenant(a, () => markUsed(newcomer));
		}
		expect(await world.rows("tenantInvitation")).toHaveLength(2);
		expect(await runWithTenant(a, () => admits({ tenantId: a, email: ADA, emailVerified: true }))).toBe(true);
	});
});
