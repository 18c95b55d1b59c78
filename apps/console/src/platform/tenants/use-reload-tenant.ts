import { useQueryClient } from "@tanstack/react-query";

/** Loads the lists and one tenant again, after a change of its status. */
export const useReloadTenant = (tenantId: string): (() => Promise<void>) => {
	const queries = useQueryClient();
	return async () => {
		await Promise.all([
			queries.invalidateQueries({ queryKey: ["tenants"] }),
			queries.invalidateQueries({ queryKey: ["tenant", tenantId] }),
		]);
	};
};
