import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { guardUsers } from "../admin/guard.ts";
import { requireOpenTenant } from "../management/open-tenant.ts";
import { DEFAULT_ROLE, TENANT_ROLES } from "../users/roles.ts";
import { deliver } from "./deliver.ts";
import { INVITATION_ERROR_CODES } from "./error-codes.ts";
import { invitationOpenAPI, showInvitation } from "./invitation.ts";
import { invitationsOf } from "./invitations.ts";
import { findInviter, requireMayInvite } from "./may-invite.ts";
import { newToken, storedToken } from "./token.ts";

const body = z.object({
	tenantId: z.string().meta({ description: "The tenant to invite to" }),
	email: z.string().meta({ description: "The address to invite" }),
	role: z.enum(TENANT_ROLES).meta({ description: "The role that the user gets. Default: member" }).optional(),
});

/**
 * Invites an address to a tenant. Does not look for a user with the address, so the response does not reveal whether there
 * is one.
 */
export const createInvitation = () =>
	createAuthEndpoint(
		"/tenant/invitation/create",
		{
			method: "POST",
			body,
			use: [guardUsers("invitation:create")],
			metadata: {
				openapi: {
					operationId: "createTenantInvitation",
					description: "Invite an address to a tenant",
					responses: {
						"200": { description: "The invitation", content: { "application/json": { schema: invitationOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => {
			const tenantId = await requireOpenTenant(ctx, ctx.context.targetId);
			const email = checkEmail(ctx.body.email);
			const role = ctx.body.role ?? DEFAULT_ROLE;
			return runInKnownTenant(tenantId, async () => {
				await requireMayInvite(ctx, tenantId, role);
				const token = newToken();
				const row = await invitationsOf(ctx)
					.storeOf(tenantId)
					.create({
						email,
						role,
						token: await storedToken(token),
						findInviter: () => findInviter(ctx, tenantId, role),
					});
				await deliver(ctx, row, token);
				return ctx.json(showInvitation(row));
			});
		},
	);

/** In lower case, as Better Auth stores addresses of users. */
const checkEmail = (given: string): string => {
	// RFC 5321, section 4.5.3.1.3. As it was sent: the lower case of the Kelvin sign is the letter k, which is another address
	if (given.length > 254 || !z.email().safeParse(given).success)
		throw APIError.from("BAD_REQUEST", INVITATION_ERROR_CODES.INVITATION_INVALID_EMAIL);
	return given.toLowerCase();
};
