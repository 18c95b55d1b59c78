import { queryOptions } from "@tanstack/react-query";
import { authClient } from "../../api/client.ts";
import type { Console } from "../../api/console.ts";
import { unwrap } from "../../api/problem.ts";

/** The callback URLs of one tenant. An operator's own place is the platform, which has none. */
export const callbackURLsQuery = (tenantId: string) =>
	queryOptions({
		queryKey: ["console", "callback-urls", tenantId],
		queryFn: async (): Promise<Console["callbackURLs"]> =>
			(await unwrap(authClient.$fetch<Console>("/tenant/console", { query: { tenantId } }))).callbackURLs,
		staleTime: 60_000,
	});
