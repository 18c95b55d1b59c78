import { createAuthClient } from "better-auth/client";
import { expectTypeOf, it } from "vitest";
import type { Invitation, InvitationPreview } from "../../src/admin.ts";
import { tenantAuthClient, tenantInvitationsClient } from "../../src/client.ts";

const client = createAuthClient({ plugins: [tenantAuthClient(), tenantInvitationsClient()] });

it("types invitations by inference", async () => {
	const created = await client.tenant.invitation.create({ tenantId: "a", email: "ada@example.com", role: "admin" });
	expectTypeOf(created.data).exclude(null).toExtend<Invitation>();
	const shown = await client.tenant.invitation.get({ query: { token: "t" } });
	expectTypeOf(shown.data).exclude(null).toExtend<InvitationPreview>();
	await client.tenant.invitation.accept({ token: "t", name: "Ada", password: "a password" });
	// @ts-expect-error there is no such role
	await client.tenant.invitation.create({ tenantId: "a", email: "ada@example.com", role: "king" });
});
