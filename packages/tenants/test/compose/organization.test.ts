import { organization } from "better-auth/plugins";
import { createAccessControl } from "better-auth/plugins/access";
import { defaultStatements } from "better-auth/plugins/organization/access";
import { composedWorld } from "test-kit/composed-world";
import { describe, expect, it } from "vitest";

describe.each(["sqlite", "postgres"] as const)("organizations on %s", (database) => {
	it("have the same slug, invitations, members, teams and roles in two tenants, and one active organization each", async () => {
		const invitations: { id: string; email: string }[] = [];
		const plugin = organization({
			teams: { enabled: true },
			ac: createAccessControl<Record<string, readonly string[]>>(defaultStatements),
			dynamicAccessControl: { enabled: true },
			sendInvitationEmail: async ({ id, email }) => void invitations.push({ id, email }),
		});
		const world = await composedWorld([plugin], { database });
		const { a, b, ok, call } = world;

		for (const tenant of [a, b]) {
			const owner = await world.signUp(tenant, "ada@example.com");
			const guest = await world.signUp(tenant, "bob@example.com");
			await world.database.query(`update "user" set "emailVerified" = true where "tenantId" = '${tenant}'`);
			const made = (await ok("/organization/create", { browser: owner, body: { name: "Board", slug: "board" } })).json;
			const again = await call("/organization/create", { browser: owner, body: { name: "Board", slug: "board" } });
			expect([again.status, again.code]).toEqual([400, "ORGANIZATION_ALREADY_EXISTS"]);

			const organizationId = made.id;
			const asOwner = async (path: string, body: object) =>
				(await ok(`/organization/${path}`, { browser: owner, body })).json;
			const team = await asOwner("create-team", { name: "Writers", organizationId });
			await asOwner("create-role", { role: "editor", permission: { team: ["create"] }, organizationId });
			await asOwner("invite-member", { email: "bob@example.com", role: "editor", organizationId, teamId: team.id });
			const invitation = invitations.at(-1);
			const accepted = await ok("/organization/accept-invitation", {
				browser: guest,
				body: { invitationId: invitation?.id },
			});
			expect(accepted.json.member).toMatchObject({ organizationId, role: "editor" });

			const active = await ok("/organization/set-active", { browser: guest, body: { organizationId } });
			expect(active.json.id).toBe(organizationId);
			expect((await world.whoami(guest)).session.activeOrganizationId).toBe(organizationId);
			const full = (await ok("/organization/get-full-organization", { browser: guest })).json;
			expect(full.members).toHaveLength(2);
			expect(full.teams.map(({ name }) => name)).toContain("Writers");
			const may = await ok("/organization/has-permission", {
				browser: guest,
				body: { permissions: { team: ["create"] } },
			});
			expect(may.json.success).toBe(true);
			const members = (await ok("/organization/list-team-members", { browser: guest, query: { teamId: team.id } }))
				.json;
			expect(members).toHaveLength(1);
			await asOwner("update-member-role", { memberId: accepted.json.member.id, role: "admin", organizationId });
			await asOwner("remove-member", { memberIdOrEmail: "bob@example.com", organizationId });
			expect((await ok("/organization/list", { browser: guest })).json).toEqual([]);
		}
		expect(await world.tenantsOf("organization")).toEqual([a, b].sort());
	});
});
