import type { TenantRole } from "../users/roles.ts";

/** A row of the table `tenantInvitation`. */
export type InvitationRow = {
	id: string;
	tenantId: string;
	email: string;
	role: TenantRole;
	token: string;
	status: "open" | "revoked";
	inviterId: string | null;
	inviterRole: TenantRole | null;
	expiresAt: Date;
	sentAt: Date;
	sent: number;
	countedSince: Date;
	createdAt: Date;
};

/**
 * An invitation, as the API returns it to callers who may invite. It never contains the token.
 *
 * @example
 * ```ts
 * const invitations: Invitation[] = await auth.api.listTenantInvitations({ query: { tenantId } });
 * ```
 */
export type Invitation = {
	/** The id, for `resend` and `revoke`. */
	id: string;
	/** The tenant that the user is invited to. */
	tenantId: string;
	/** The invited address, in lower case. */
	email: string;
	/** The role that the user gets. */
	role: TenantRole;
	/** The user who invited. Null if an operator did. */
	inviterId: string | null;
	/** When the link in the mail stops working. */
	expiresAt: Date;
	/** When the last mail was sent. */
	sentAt: Date;
	/** When the address was invited. */
	createdAt: Date;
};

/** Selects the fields that the API returns. */
export const showInvitation = ({
	id,
	tenantId,
	email,
	role,
	inviterId,
	expiresAt,
	sentAt,
	createdAt,
}: InvitationRow): Invitation => ({ id, tenantId, email, role, inviterId, expiresAt, sentAt, createdAt });

const date = (description: string) => ({ type: "string" as const, format: "date-time", description });
const text = (description: string) => ({ type: "string" as const, description });

/** The OpenAPI schema of `Invitation`. */
export const invitationOpenAPI = {
	type: "object" as const,
	properties: {
		id: text("The id"),
		tenantId: text("The tenant that the user is invited to"),
		email: text("The invited address, in lower case"),
		role: text("The role that the user gets"),
		inviterId: { ...text("The user who invited. Null if an operator did"), nullable: true },
		expiresAt: date("When the link in the mail stops working"),
		sentAt: date("When the last mail was sent"),
		createdAt: date("When the address was invited"),
	},
	required: ["id", "tenantId", "email", "role", "inviterId", "expiresAt", "sentAt", "createdAt"],
};
