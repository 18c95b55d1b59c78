import type { BetterAuthPlugin } from "@better-auth/core";

/** Declares the indexes by which expired rows of all tenants are found. `migrate` creates them. */
export const expiryIndexes = () =>
	({
		id: "expiry-indexes",
		schema: {
			session: { fields: {}, indexes: [{ fields: ["expiresAt"] }] },
			verification: { fields: {}, indexes: [{ fields: ["expiresAt"] }] },
		},
	}) satisfies BetterAuthPlugin;
