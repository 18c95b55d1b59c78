import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { eraseMoreOf } from "../admin/erase-rows.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import { admissionOf, invitationAdmission } from "./admission.ts";
import { createInvitation } from "./create-invitation.ts";
import { INVITATION_ERROR_CODES } from "./error-codes.ts";
import { getInvitation } from "./get-invitation.ts";
import { eraseInvitations, startInvitations } from "./invitations.ts";
import { listInvitations } from "./list-invitations.ts";
import { type InvitationOptions, resolveInvitationOptions } from "./options.ts";
import { resendInvitation } from "./resend-invitation.ts";
import { revokeInvitation } from "./revoke-invitation.ts";
import { invitationSchema } from "./schema.ts";

/**
 * Invites users to a tenant by email, with a role. Put it after `tenantAdmin()` in `withTenants`. Adds one table.
 *
 * @example
 * ```ts
 * const plugins = withTenants({}, [
 * 	admin({ ...tenantRoles }),
 * 	tenantAdmin(),
 * 	tenantInvitations({
 * 		acceptURL: "https://app.example.com/invitation",
 * 		sendInvitation: async ({ email, url, tenant }) => sendMail(email, `Join ${tenant.name}`, url),
 * 	}),
 * ]);
 * ```
 */
export const tenantInvitations = (options: InvitationOptions) => {
	const resolved = resolveInvitationOptions(options);
	return {
		id: "tenant-invitations",
		schema: invitationSchema,
		init: (context: AuthContext) => {
			if (!context.options.plugins?.some(({ id }) => id === "tenant-admin"))
				throw new BetterAuthError(
					"tenantInvitations() requires tenantAdmin(). Add both: withTenants(options, [admin({ ...tenantRoles }), tenantAdmin(), tenantInvitations({ … })]).",
				);
			admissionOf.provide({ context }, invitationAdmission);
			const invitations = startInvitations(context, resolved);
			eraseMoreOf.provide({ context }, eraseInvitations(invitations));
			return { context: { tenantInvitations: invitations } };
		},
		endpoints: {
			createTenantInvitation: createInvitation(),
			listTenantInvitations: listInvitations(),
			resendTenantInvitation: resendInvitation(),
			revokeTenantInvitation: revokeInvitation(),
			getTenantInvitation: getInvitation(),
			acceptTenantInvitation: acceptInvitation(),
		},
		$ERROR_CODES: INVITATION_ERROR_CODES,
	} satisfies BetterAuthPlugin;
};
