import type { AuthContext } from "@better-auth/core";
import { runWithTransaction } from "@better-auth/core/context";
import { whenAssigned } from "../../engine/when-assigned.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { tenantStoreOf } from "../../scope/tenants/tenant-store.ts";

/**
 * Makes the engine delete a user in one transaction. It deletes sessions and accounts first, so a refused deletion of the last
 * owner would leave the owner without a way to sign in. The engine creates its internal adapter after all plugins have started,
 * so this waits for it.
 */
export const deleteUsersInTransaction = (context: AuthContext): void =>
	whenAssigned(context, "internalAdapter", (engine) => ({
		...engine,
		deleteUser: async (userId) =>
			runWithTransaction(context.adapter, async () => {
				const pin = pinOf({ context });
				const tenants = tenantStoreOf({ context });
				// first, as every change of roles does: two deletions of a user would otherwise each hold rows that the other needs
				if (pin.current() !== PLATFORM) await tenants.holdOpen(pin.current());
				await engine.deleteUser(userId);
			}),
	}));
