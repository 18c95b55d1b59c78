import type { AuthContext } from "@better-auth/core";
import { runWithTransaction } from "@better-auth/core/context";

/**
 * Makes the engine delete a user in one transaction. It deletes sessions and accounts first, so a refused deletion of the last
 * owner would leave the owner without a way to sign in. The engine creates its internal adapter after all plugins have started,
 * so this waits for it.
 */
export const deleteUsersInTransaction = (context: AuthContext): void => {
	let held = wrap(context, context.internalAdapter);
	Object.defineProperty(context, "internalAdapter", {
		configurable: true,
		enumerable: true,
		get: () => held,
		set: (next: AuthContext["internalAdapter"]) => {
			held = wrap(context, next);
		},
	});
};

const wrap = (context: AuthContext, own: AuthContext["internalAdapter"]): AuthContext["internalAdapter"] => ({
	...own,
	deleteUser: async (userId) => runWithTransaction(context.adapter, () => own.deleteUser(userId)),
});
