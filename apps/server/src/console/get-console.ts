import { APIError, createAuthEndpoint, getAuthoritativeSessionFromCtx } from "better-auth/api";
import { socialProviderList } from "better-auth/social-providers";
import { listCallbackURLs, TENANT_AUTH_ERROR_CODES } from "better-auth-tenants";
import type { Pool } from "pg";
import * as z from "zod";
import manifest from "../../package.json" with { type: "json" };
import type { Config } from "../config/config.ts";
import { currentRequest } from "../lib/request-context.ts";
import type { ServerApi } from "../tenants/act-for-tenant.ts";
import { type CallerSession, findRole, isOperator } from "./caller-role.ts";
import { featuresOf } from "./features.ts";
import { findKeptTenant } from "./kept-tenant.ts";

type ConsoleWith = { config: Config; api: ServerApi; pool: Pool };

/**
 * `GET /tenant/console`: who is signed in, and what the console can show them. Operators see the platform, or one tenant with
 * `tenantId`. Users of a tenant see their own.
 */
export const getConsole = ({ config, api, pool }: ConsoleWith) =>
	createAuthEndpoint(
		"/tenant/console",
		{
			method: "GET",
			query: z
				.object({ tenantId: z.string().meta({ description: "For operators: the tenant to open" }).optional() })
				.optional(),
			metadata: { openapi: { operationId: "getConsole", description: "Get what the console can show the caller" } },
		},
		async (ctx) => {
			ctx.setHeader("cache-control", "no-store");
			const caller: CallerSession | null = await getAuthoritativeSessionFromCtx(ctx);
			if (!caller) throw APIError.from("UNAUTHORIZED", TENANT_AUTH_ERROR_CODES.TENANT_MANAGEMENT_UNAUTHORIZED);
			if (caller.session.operatorId != null)
				throw APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.IMPERSONATION_NOT_ALLOWED);
			const named = ctx.query?.tenantId;
			const role = isOperator(caller, config.management) ? "operator" : await findRole(pool, caller);
			const own = role === "operator" ? null : String(caller.session.tenantId);
			// another tenant and a missing one are refused alike
			if (role === null || (own !== null && named !== undefined && named !== own))
				throw APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.TENANT_MANAGEMENT_NOT_ALLOWED);
			const tenantId = own ?? named ?? null;
			// for the operator, so it is decided and audited as every other read of a tenant
			const asOperator = own === null ? (ctx.headers ?? new Headers()) : undefined;
			const tenant = tenantId === null ? null : await findKeptTenant(api, tenantId, asOperator);
			// tenants with paths share one host and its cookies: below another one's path, the session is none
			const slugInPath = currentRequest()?.tenantSlug ?? null;
			if (own !== null && slugInPath !== null && tenant?.slug !== slugInPath)
				throw APIError.from("UNAUTHORIZED", TENANT_AUTH_ERROR_CODES.TENANT_MANAGEMENT_UNAUTHORIZED);
			const { id, name, email, image = null } = caller.user;
			return ctx.json({
				place: tenant ? ("tenant" as const) : ("platform" as const),
				tenant: tenant && { id: tenant.id, name: tenant.name, slug: tenant.slug, status: tenant.status },
				user: { id, name, email, image },
				role,
				features: featuresOf(config, { isOperator: role === "operator" }),
				socialProviders: [...socialProviderList].sort(),
				callbackURLs: await callbackURLs(ctx.context, tenantId),
				// which versions have which weaknesses is public
				version: role === "operator" ? manifest.version : null,
			});
		},
	);

/**
 * The URLs to enter at a provider, one for each host of the tenant, with `{providerId}` in them. `own` are those of providers on a
 * server that the tenant names. The response of `/tenant/oauth-config/register` says which ones a config has.
 */
const callbackURLs = async (context: object, tenantId: string | null) => {
	if (tenantId === null) return { shared: [], own: [] };
	const auth = { $context: Promise.resolve(context) };
	const named = { tenantId, providerId: "{providerId}" };
	return {
		shared: await listCallbackURLs(auth, named),
		own: await listCallbackURLs(auth, { ...named, ownServer: true }),
	};
};
