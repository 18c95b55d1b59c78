import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { authClient } from "./client.ts";
import { Problem, unwrap } from "./problem.ts";

/** One tenant, for operators and its own admins. */
export const tenantQuery = (tenantId: string) =>
	queryOptions({
		queryKey: ["tenant", tenantId],
		queryFn: () => unwrap(authClient.tenant.get({ query: { tenantId } })),
	});

/** What the list of tenants shows. It is part of the URL, so that it can be shared and survives a reload. */
export type TenantSearch = {
	search?: string;
	by?: "slug" | "name";
	status?: "active" | "suspended" | "archived";
	/** where the page begins */
	cursor?: string;
};

const listTenants = ({ search, by = "slug", status, cursor }: TenantSearch) =>
	unwrap(authClient.tenant.listPage({ limit: 25, ...(search ? { [by]: search } : {}), status, cursor }));

/** A tenant in a list. */
export type ListedTenant = Awaited<ReturnType<typeof listTenants>>["tenants"][number];

/** One page of tenants. The page before stays until it is loaded. */
export const tenantsQuery = (search: TenantSearch) =>
	queryOptions({
		queryKey: ["tenants", search],
		queryFn: () => listTenants(search),
		placeholderData: keepPreviousData,
	});

/** Whether no tenant has this slug. */
export const slugQuery = (slug: string) =>
	queryOptions({
		queryKey: ["slug", slug],
		queryFn: async (): Promise<boolean> => {
			try {
				await unwrap(authClient.tenant.get({ query: { slug } }));
				return false;
			} catch (error) {
				if (error instanceof Problem && error.status === 404) return true;
				throw error;
			}
		},
		staleTime: 0,
	});
