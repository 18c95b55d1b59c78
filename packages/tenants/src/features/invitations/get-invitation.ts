import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import type { SignInMethods } from "../methods/offered-methods.ts";
import { readSignInMethods, signInMethodsOpenAPI } from "../methods/sign-in-methods.ts";
import type { TenantRole } from "../users/roles.ts";
import { inviterOf, invitingTenant } from "./deliver.ts";
import { findByToken } from "./find-by-token.ts";
import type { InvitingTenant } from "./options.ts";

/**
 * What the holder of a token sees of the invitation, for your accept page.
 *
 * @example
 * ```ts
 * const { tenant, email }: InvitationPreview = await auth.api.getTenantInvitation({ query: { token } });
 * ```
 */
export type InvitationPreview = {
	/** The tenant that the user is invited to. */
	tenant: InvitingTenant;
	/** The invited address. */
	email: string;
	/** The role that the user gets. */
	role: TenantRole;
	/** The user who invites. Null if an operator does. Users choose their names: escape them. */
	inviter: { name: string; email: string } | null;
	/** When the token stops working. */
	expiresAt: Date;
	/** How users can sign in to the tenant. */
	methods: SignInMethods;
};

const query = z.object({ token: z.string().min(1).meta({ description: "The token of the mail" }) });

const text = (description: string) => ({ type: "string" as const, description });

const previewOpenAPI = {
	type: "object" as const,
	properties: {
		tenant: {
			type: "object" as const,
			properties: { id: text("The tenant's id"), name: text("Its name"), slug: text("Its slug") },
			required: ["id", "name", "slug"],
			description: "The tenant that the user is invited to",
		},
		email: text("The invited address"),
		role: text("The role that the user gets"),
		inviter: {
			type: "object" as const,
			properties: { name: text("Their name"), email: text("Their address") },
			required: ["name", "email"],
			nullable: true,
			description: "The user who invites. Null if an operator does",
		},
		expiresAt: { ...text("When the token stops working"), format: "date-time" },
		methods: { ...signInMethodsOpenAPI, description: "How users can sign in to the tenant" },
	},
	required: ["tenant", "email", "role", "inviter", "expiresAt", "methods"],
};

/** Returns an invitation by its token, for your accept page. Changes nothing, so mail scanners can follow the link. */
export const getInvitation = () =>
	createAuthEndpoint(
		"/tenant/invitation/get",
		{
			method: "GET",
			query,
			metadata: {
				openapi: {
					operationId: "getTenantInvitation",
					description: "Get an invitation by its token",
					responses: {
						"200": { description: "The invitation", content: { "application/json": { schema: previewOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => {
			const row = await findByToken(ctx, ctx.query.token);
			const { tenantId, email, role, expiresAt } = row;
			const [tenant, methods] = [await invitingTenant(ctx, tenantId), await readSignInMethods(ctx, tenantId)];
			const inviter = await inviterOf(ctx, row);
			return ctx.json<InvitationPreview>({ tenant, email, role, inviter, expiresAt, methods });
		},
	);
