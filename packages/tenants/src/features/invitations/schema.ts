import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";

/** The table of `tenantInvitations()`. `withTenants` adds the tenant column, and the tenant to the unique index. */
export const invitationSchema = {
	tenantInvitation: {
		fields: {
			/** The invited address, in lower case. A tenant has one invitation per address. */
			email: { type: "string", required: true, input: false, sortable: true },
			/** The role that the user gets. */
			role: { type: "string", required: true, input: false },
			/** SHA-256 of the token in the mail. */
			token: { type: "string", required: true, input: false, returned: false, index: true },
			/** `open`, or `revoked`: kept for a day, because its mails count. */
			status: { type: "string", required: true, input: false },
			/**
			 * The user of the tenant who invited. Null if an operator did. Not a reference: a user who moves to another tenant
			 * must not take invitations along.
			 */
			inviterId: { type: "string", required: false, input: false },
			/** The role of the inviter at that time. */
			inviterRole: { type: "string", required: false, input: false },
			/** When the token stops working. */
			expiresAt: { type: "date", required: true, input: false },
			/** When the last mail was sent. */
			sentAt: { type: "date", required: true, input: false },
			/** Mails to this address since `countedSince`. */
			sent: { type: "number", required: true, input: false },
			/** When the first of these mails was sent. */
			countedSince: { type: "date", required: true, input: false },
			/** When the address was invited. */
			createdAt: { type: "date", required: true, input: false },
		},
		indexes: [{ fields: ["email"], unique: true }],
	},
} satisfies BetterAuthPluginDBSchema;
