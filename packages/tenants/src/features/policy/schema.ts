import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";

/** The tables and columns of `tenantPolicy()`. */
export const policySchema = {
	tenantPolicy: {
		fields: {
			/** The tenant that the policy belongs to. */
			tenantId: { type: "string", required: true, input: false },
			/** The tenant's own rules as JSON text, which works in every database. */
			rules: { type: "string", required: true, input: false },
			/** Counts the changes, so that parallel ones are not lost. */
			revision: { type: "number", required: true, input: false },
			/** When the policy was last changed. */
			updatedAt: { type: "date", required: true, input: false },
		},
		indexes: [{ fields: ["tenantId"], unique: true }],
	},
	session: {
		fields: {
			/** How the user signed in, such as `password` or `social:google`. Null in sessions from before this column. */
			signInMethod: { type: "string", required: false, input: false },
		},
	},
} satisfies BetterAuthPluginDBSchema;
