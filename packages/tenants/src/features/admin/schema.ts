import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";

/**
 * The search by name needs an index. MySQL can only index a column with a limited length, which `sortable` sets. The other columns
 * end rights, see ../rights/guard-rights.ts.
 */
export const adminSchema = {
	user: {
		fields: {
			/** Better Auth's column. At most 255 characters on MySQL. */
			name: { type: "string", sortable: true, input: false },
			/** Replaced when what was allowed before must end: by a ban, the end of all sessions, a raised role. */
			rightsEpoch: { type: "string", required: false, input: false, returned: false },
			/** API keys from before do not count: the role was raised by an invitation, or lowered. */
			apiKeysSince: { type: "date", required: false, input: false, returned: false },
		},
		indexes: [{ fields: ["tenantId", "name"] }],
	},
	session: {
		fields: {
			// returned, because Better Auth stores a session again as it returns it
			/** The epoch of its user in which the session was made. */
			rightsEpoch: { type: "string", required: false, input: false },
		},
	},
} satisfies BetterAuthPluginDBSchema;
