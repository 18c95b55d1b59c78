import type { Where } from "@better-auth/core/db/adapter";
import type { UserGuard, UserGuardParts } from "../../scope/compose/companion.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { createHold } from "./hold-users.ts";
import { actorsIn, rightsNow } from "./request-rights.ts";

/**
 * Holds whoever acts for writes that do not pass the scoped adapter: what manages the tenant itself, such as its OAuth configs. It
 * uses the adapter below the guards, because nothing of the user changes.
 */
export const rightsOfActors = (parts: UserGuardParts): Required<Pick<UserGuard, "hasActors" | "holdActors">> => {
	const { pin, raw } = parts;
	const inTenant = (where: Where[] = []): Where[] => [
		...where,
		{ field: "tenantId", value: pin.current(), connector: "AND" },
	];
	const hold = createHold(
		{
			...raw,
			findOne: (query) => raw.findOne({ ...query, where: inTenant(query.where) }),
			updateMany: (query) => raw.updateMany({ ...query, where: inTenant(query.where) }),
		},
		parts,
	);
	return {
		hasActors: async () => {
			const rights = pin.current() === PLATFORM ? undefined : rightsNow();
			return rights !== undefined && actorsIn(rights, pin.current()).length > 0;
		},
		holdActors: async () => {
			const rights = rightsNow();
			if (rights) await hold.holdActors(rights);
		},
	};
};
