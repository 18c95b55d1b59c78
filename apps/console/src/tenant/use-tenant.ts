import { useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useCallback } from "react";

/** The tenant whose pages are open. */
export const useTenantId = (): string => useParams({ from: "/signed-in/tenant/$tenantId" }).tenantId;

/** Loads everything that is shown of the tenant again, after a change. */
export const useReload = (): (() => Promise<void>) => {
	const queries = useQueryClient();
	const tenantId = useTenantId();
	return useCallback(() => queries.invalidateQueries({ queryKey: ["tenant", tenantId] }), [queries, tenantId]);
};
