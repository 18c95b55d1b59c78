import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { endpointOf } from "../endpoints/endpoints.ts";
import { rateLimitRules } from "../endpoints/rate-limits.ts";
import { warnOfWeaknesses } from "../engine/fixed-weaknesses.ts";
import { createHook } from "../engine/hook.ts";
import { inSteps } from "../engine/in-steps.ts";
import { PLUGIN_ID } from "../engine/service.ts";
import { createResponseFloor } from "../features/email/response-floor.ts";
import { createManagement } from "../features/management/management.ts";
import { createSlugCheck } from "../features/tenants/tenant-input.ts";
import { refuseEndedLinks } from "../features/unproven/ended-links.ts";
import { endRequest } from "../load/hashing/bounded-hashing.ts";
import { createSchema } from "../scope/data/schema.ts";
import { replaceUncaught } from "../scope/pin/outage.ts";
import { createTenantContext, type TenantContext } from "../scope/pin/tenant-context.ts";
import { requestScopeOf } from "../scope/request/request-scope.ts";
import { featureEndpoints, PLUGIN_CODES } from "./features.ts";
import { onRequest } from "./on-request.ts";
import { resolveOptions, type TenantAuthOptions } from "./options.ts";
import { type Started, startServices } from "./start-services.ts";
import { assertSafeToStart } from "./startup-checks.ts";
import { afterSteps } from "./steps.ts";

/**
 * Adds tenants to Better Auth. Put it first in `plugins`. Every request is pinned to one tenant, or to the platform, and
 * everything that Better Auth then reads, writes, signs or calls is scoped to it. Use `withTenants` if you have other plugins
 * with tables or unique fields. Costs one extra query for a request that names a tenant that is not in `tenantCache`.
 *
 * @example
 * ```ts
 * const auth = betterAuth({
 * 	database,
 * 	emailAndPassword: { enabled: true },
 * 	plugins: [tenantAuth({ management: { keys: [process.env.MANAGEMENT_KEY ?? ""] } })],
 * });
 * ```
 */
export const tenantAuth = (options: TenantAuthOptions = {}) => createTenantAuth(options, createTenantContext());

export type TenantAuthPlugin = ReturnType<typeof tenantAuth>;

/** Creates the plugin with a tenant context that composed plugins share. */
export const createTenantAuth = (given: TenantAuthOptions, pin: TenantContext) => {
	const options = resolveOptions(given);
	const management = createManagement(options.management, options.sources);
	const parts = { management, options, current: pin.current, checkSlug: createSlugCheck(options.reservedSlugs) };
	const responseFloor = createResponseFloor(pin.current);

	return {
		id: PLUGIN_ID,
		schema: createSchema(pin.current),
		init: async (context: AuthContext): Promise<Started> => {
			await pin.ready();
			assertSafeToStart(context, {
				pluginId: PLUGIN_ID,
				requireTransactions: options.database.requireTransactions,
				hosts: options.hosts,
				callbackHost: options.callbackHost,
				verifyWithAllSecrets: options.verifyWithAllSecrets,
				hasSessionCache: options.sessionCache !== null,
			});
			warnOfWeaknesses(context);
			return startServices(context, options, { pin, management });
		},
		hooks: {
			before: [
				{ matcher: ({ path }) => responseFloor.at(endpointOf(path)), handler: responseFloor.before },
				{ matcher: () => true, handler: createHook(async (ctx) => requestScopeOf(ctx).before(ctx)) },
				refuseEndedLinks,
			],
			after: [inSteps(afterSteps(pin, responseFloor))],
		},
		endpoints: featureEndpoints(parts),
		onRequest,
		onResponse: async (response: Response, context: AuthContext) => {
			endRequest(context);
			return replaceUncaught(response, context);
		},
		rateLimit: rateLimitRules,
		$ERROR_CODES: PLUGIN_CODES,
		options: given,
	} satisfies BetterAuthPlugin;
};
