import type { BetterAuthPlugin } from "@better-auth/core";
import { SWEPT_TABLES } from "./expiring-tables.ts";

const INDEX = { fields: {}, indexes: [{ fields: ["expiresAt"] }] } as const;

/**
 * Declares the indexes by which expired rows of all tenants are found: of Better Auth's own tables, and of those that the
 * plugins have. `migrate` creates them.
 */
export const expiryIndexes = (plugins: readonly BetterAuthPlugin[]): BetterAuthPlugin => {
	const existing = new Set(["session", "verification", ...plugins.flatMap(({ schema }) => Object.keys(schema ?? {}))]);
	const swept = Object.keys(SWEPT_TABLES).filter((table) => existing.has(table));
	return { id: "expiry-indexes", schema: Object.fromEntries(swept.map((table) => [table, INDEX])) };
};
