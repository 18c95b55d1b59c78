import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";

/** The search by name needs an index. MySQL can only index a column with a limited length, which `sortable` sets. */
export const adminSchema = {
	user: {
		fields: {
			/** Better Auth's column. At most 255 characters on MySQL. */
			name: { type: "string", sortable: true, input: false },
		},
		indexes: [{ fields: ["tenantId", "name"] }],
	},
} satisfies BetterAuthPluginDBSchema;
