import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";

/**
 * Throws if the database has no transactions. A request that adds a way in locks its user until it has written: without a lock, it
 * could still write after a ban. Better Auth's in-memory database is for testing.
 */
export const assertTransactions = ({ adapter, options }: Pick<AuthContext, "adapter" | "options">): void => {
	if (!options.database || adapter.options?.adapterConfig.transaction) return;
	throw new BetterAuthError(
		`TENANT_ADMIN_REQUIRES_TRANSACTIONS: the database adapter "${adapter.id}" runs without transactions, so a request that is under way could act after a ban. Turn them on (kysely: database: { db, type, transaction: true }; drizzle and prisma: transaction: true), or remove tenantAdmin().`,
	);
};
