import type { UserGuardParts } from "../../scope/compose/companion.ts";
import type { ScopedMethods } from "../../scope/data/adapter.ts";

const MODEL = "deviceCode";

/** Codes that users approved for other devices. A device that has not used its code yet would get a session later. */
export const createDeviceCodes = (
	{ deleteMany }: Pick<ScopedMethods, "deleteMany">,
	{ hasTable }: Pick<UserGuardParts, "hasTable">,
) => {
	const areUsed = hasTable(MODEL);
	return {
		areUsed,
		/** Deletes those of a user, in the transaction that ends their rights. One statement. */
		end: async (userId: string): Promise<void> => {
			if (areUsed) await deleteMany({ model: MODEL, where: [{ field: "userId", value: userId }] });
		},
	};
};
