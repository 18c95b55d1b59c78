import type { AuthContext } from "@better-auth/core";

type WithIds = Pick<AuthContext, "generateId" | "adapter">;

/**
 * The id that the engine would give a new row, so it is known before the row exists. Null if the database or its adapter
 * chooses ids.
 */
export const newRowId = ({ generateId, adapter }: WithIds, model: string): string | null => {
	const { customIdGenerator, disableIdGeneration } = adapter.options?.adapterConfig ?? {};
	if (customIdGenerator || disableIdGeneration) return null;
	return generateId({ model }) || null;
};
