import { useQueryClient } from "@tanstack/react-query";
import type { ConsoleEvent } from "../api/events.ts";
import type { ListedTenant } from "../api/tenants.ts";

/**
 * The slugs of tenants, as far as the events and the lists that were loaded before have them. Nothing is asked for: every read
 * of a tenant is audited, and a page of events can be about many.
 */
export const useKnownSlugs = (events: ConsoleEvent[]): Map<string, string> => {
	const lists = useQueryClient().getQueriesData<{ tenants: ListedTenant[] }>({ queryKey: ["tenants"] });
	return new Map([
		...events.flatMap(({ tenantId, slug }): [string, string][] => (tenantId && slug ? [[tenantId, slug]] : [])),
		...lists.flatMap(([, list]) => list?.tenants.map(({ id, slug }): [string, string] => [id, slug]) ?? []),
	]);
};
