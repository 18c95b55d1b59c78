import type { AuditEntry } from "better-auth-tenants";
import { expect, it } from "vitest";
import { invitingWorld } from "./support/inviting-world.ts";

// threat 113
it("every attempt to invite is in the audit, with its outcome and tenant", async () => {
	const entries: AuditEntry[] = [];
	const world = await invitingWorld({ management: { audit: (entry: AuditEntry) => void entries.push(entry) } });
	const { a, b } = world;
	const admin = { browser: await world.member(a, "admin@example.com", "admin") };
	await world.tokenFor(b, "eve@example.com");
	await world.tokenFor(a, "owner@example.com", "owner");
	const idOf = async (email: string) => (await world.rows("tenantInvitation")).find((row) => row.email === email)?.id;
	const resend = async (email: string) =>
		world.call("/tenant/invitation/resend", { ...admin, body: { tenantId: a, id: await idOf(email) } });
	entries.length = 0;
	await world.invite({ tenantId: a, email: "ada@example.com" }, admin);
	await world.invite({ tenantId: a, email: "eve@example.com", role: "owner" }, admin);
	await resend("ada@example.com");
	await resend("owner@example.com");
	expect(entries.map(({ action, outcome, tenantId, code }) => [action, outcome, tenantId, code])).toEqual([
		["invitation:create", "allowed", a, undefined],
		["invitation:create", "refused", a, "INVITATION_ROLE_NOT_ALLOWED"],
		["invitation:resend", "allowed", a, undefined],
		["invitation:resend", "refused", a, "INVITATION_ROLE_NOT_ALLOWED"],
	]);
	expect(entries.map(({ actor }) => actor.kind)).toEqual(["session", "session", "session", "session"]);
});
