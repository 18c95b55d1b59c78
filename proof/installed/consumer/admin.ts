import { betterAuth } from "better-auth";
import { admin } from "better-auth/plugins";
import { withTenants } from "better-auth-tenants";
import {
	type Erasure,
	type Invitation,
	type InvitationOptions,
	type TenantUser,
	tenantAdmin,
	tenantInvitations,
	tenantRoles,
	verifyErasure,
} from "better-auth-tenants/admin";
import { same } from "./same.ts";

const invitations: InvitationOptions = {
	acceptURL: ({ slug }) => `https://${slug}.example.com/invitation`,
	sendInvitation: async ({ email, tenant, url }) => console.log(email, tenant.name, url),
};
// @ts-expect-error an invitation has to be sent
export const unsent: InvitationOptions = { acceptURL: "https://app.example.com" };

export const auth = betterAuth({
	plugins: withTenants({}, [admin({ ...tenantRoles }), tenantAdmin(), tenantInvitations(invitations)]),
});

export const administer = async (headers: Headers) => {
	const users: TenantUser[] = await auth.api.listTenantUsers({ query: { tenantId: "acme-id" }, headers });
	same<(typeof users)[number]["email"], string>(true);
	const invited: Invitation = await auth.api.createTenantInvitation({
		body: { tenantId: "acme-id", email: "ada@example.com", role: "owner" },
	});
	// @ts-expect-error there is no such role
	await auth.api.createTenantInvitation({ body: { tenantId: "acme-id", email: "ada@example.com", role: "king" } });
	// the engine's own plugin knows the roles
	await auth.api.setRole({ body: { userId: "u", role: "member" }, headers });
	const erasure: Erasure | null = await verifyErasure(auth, "record", { tenantId: "acme-id" });
	return [invited.id, erasure?.userId];
};
