import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { EPOCH, ended } from "./epoch.ts";
import { actorsIn, keyOf, rightsNow } from "./request-rights.ts";

/**
 * Locks the users as whom the request acts, until the transaction ends. Throws unless they have the rights that the request saw
 * first. For what is not written through the adapter, or names no user. Costs one statement for each, mostly one.
 */
export const holdActors = async (
	{ updateMany }: Pick<DBTransactionAdapter, "updateMany">,
	tenantId: string,
): Promise<void> => {
	const rights = rightsNow();
	if (!rights) return;
	for (const id of actorsIn(rights, tenantId)) {
		const sight = rights.seen.get(keyOf(tenantId, id));
		if (!sight) throw ended();
		// an UPDATE waits for a change that is under way; its conditions are added in change-users.ts
		const where = [
			{ field: "id", value: id },
			{ field: EPOCH, value: sight.epoch },
		];
		const held = await updateMany({ model: "user", where, update: { [EPOCH]: sight.epoch } });
		if (held === 0) throw ended();
	}
};
