import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

/** Loads everything about the user's own account again, after a change. */
export const useReloadAccount = (): (() => Promise<void>) => {
	const queries = useQueryClient();
	return useCallback(() => queries.invalidateQueries({ queryKey: ["account"] }), [queries]);
};
