import { queryOptions } from "@tanstack/react-query";
import { authClient } from "./client.ts";
import { unwrap } from "./problem.ts";

/** The credentials that a tenant has at providers, without the secrets. */
export const oauthConfigsQuery = (tenantId: string) =>
	queryOptions({
		queryKey: ["tenant", tenantId, "oauth-configs"],
		queryFn: () => unwrap(authClient.tenant.oauthConfig.list({ query: { tenantId } })),
	});

/** How users can sign in to a tenant. */
export const methodsQuery = (tenantId: string) =>
	queryOptions({
		queryKey: ["tenant", tenantId, "methods"],
		queryFn: () =>
			// the service lets browsers keep the list for a minute, which would hide a change
			unwrap(authClient.tenant.methods({ query: { tenantId }, fetchOptions: { cache: "no-store" } })),
	});
