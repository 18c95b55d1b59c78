import type { BetterAuthPlugin } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import { currentTenantId } from "better-auth-tenants";
import { currentRequest } from "../lib/request-context.ts";
import { knownProvider } from "../observe/providers.ts";

/**
 * Stores the tenant and provider of a request for logs, metrics and traces. Mount it right after tenantAuth(), so
 * requests that a later plugin rejects are logged with their tenant too.
 */
export const rememberTenant = () =>
	({
		id: "remember-tenant",
		hooks: {
			before: [
				{
					matcher: () => true,
					handler: createAuthMiddleware(async (ctx) => {
						const request = currentRequest();
						if (!request) return;
						request.tenantId = currentTenantId();
						request.provider = providerOf(ctx.params) ?? providerOf(ctx.body) ?? request.provider;
					}),
				},
			],
		},
	}) satisfies BetterAuthPlugin;

/** Callbacks name their provider in the path (/callback/:id), other endpoints in the body. */
const providerOf = (input: unknown): string | null => {
	if (typeof input !== "object" || input === null) return null;
	const { id, providerId, provider } = input as Record<string, unknown>;
	return [provider, providerId, id].map(knownProvider).find((known) => known !== null) ?? null;
};
