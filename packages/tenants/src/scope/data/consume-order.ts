import type { AuthContext } from "@better-auth/core";
import { runWithTransaction } from "@better-auth/core/context";

type InternalAdapter = AuthContext["internalAdapter"];

/**
 * Makes every consumption of a verification take a database connection first, then the engine's in-process lock for that
 * identifier. Since Better Auth 1.7.18 a password reset consumes its code inside a transaction, so it takes both in this
 * order. Other endpoints take the lock first. Two such requests for one email, in any two tenants, would wait for each
 * other forever once no connection is free.
 */
export const createConsumeOrder = (application: AuthContext) => {
	const ordered = new WeakSet<InternalAdapter>();
	return (): void => {
		// the engine creates it after the plugins have started
		const { internalAdapter, options } = application;
		if (ordered.has(internalAdapter)) return;
		ordered.add(internalAdapter);
		// consumed in the storage only, without lock and transaction
		if (options.secondaryStorage && !options.verification?.storeInDatabase) return;
		const { consumeVerificationValue } = internalAdapter;
		internalAdapter.consumeVerificationValue = async (identifier) =>
			runWithTransaction(application.adapter, () => consumeVerificationValue(identifier));
	};
};
