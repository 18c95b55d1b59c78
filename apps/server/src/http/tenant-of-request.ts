import type { BetterAuthPlugin } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import { currentTenantId } from "better-auth-tenants";
import { knownProvider } from "../observe/providers.ts";
import { currentRequest } from "./request-context.ts";

/**
 * Tells logs, metrics and traces what only the engine knows of a request: its tenant, and the provider it is about.
 * Mount it right behind tenantAuth(), so that a request which another plugin refuses has its tenant in the log too.
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
