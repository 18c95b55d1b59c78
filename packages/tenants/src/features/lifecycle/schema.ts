import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";

/** The columns that the companion adds to tenants. */
export const LIFECYCLE_SCHEMA = {
	tenant: {
		fields: {
			/** Why an operator suspended, archived or restored the tenant. */
			statusReason: { type: "string", required: false, input: false },
			/** The operator: `key:…`, `user:…` or `server`. */
			statusBy: { type: "string", required: false, input: false },
			/** When the status changed. It distinguishes one suspension from the next. */
			statusAt: { type: "date", required: false, input: false },
			/** Whether the next restore ends the sessions from before. */
			endsSessions: { type: "boolean", required: false, input: false },
			/** Sessions, links and tokens from before this time are dead. The tenant signs with a secret of its own since then. */
			sessionsSince: { type: "date", required: false, input: false },
		},
	},
} satisfies BetterAuthPluginDBSchema;
