import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { rateLimitRules } from "../endpoints/rate-limits.ts";
import { warnOfWeaknesses } from "../engine/fixed-weaknesses.ts";
import { createHook } from "../engine/hook.ts";
import { inSteps } from "../engine/in-steps.ts";
import { PLUGIN_ID } from "../engine/service.ts";
import { CONCURRENCY_ERROR_CODES } from "../errors/concurrency-error-codes.ts";
import { TENANT_AUTH_ERROR_CODES } from "../errors/error-codes.ts";
import { SSO_ERROR_CODES } from "../errors/sso-error-codes.ts";
import { TRANSFER_ERROR_CODES } from "../errors/transfer-error-codes.ts";
import { addDomain } from "../features/domains/add-domain.ts";
import { listDomains } from "../features/domains/list-domains.ts";
import { removeDomain } from "../features/domains/remove-domain.ts";
import { createResponseFloor } from "../features/email/response-floor.ts";
import { signInTenantEmail } from "../features/email/sign-in-email.ts";
import { signUpTenantEmail } from "../features/email/sign-up-email.ts";
import { impersonateUser } from "../features/impersonation/impersonate-user.ts";
import { createManagement } from "../features/management/management.ts";
import { signInMethods } from "../features/methods/sign-in-methods.ts";
import { deleteOauthConfig } from "../features/oauth/delete-oauth-config.ts";
import { listOauthConfigs } from "../features/oauth/list-oauth-configs.ts";
import { registerOauthConfig } from "../features/oauth/register-oauth-config.ts";
import { resealOauthConfigBatch } from "../features/oauth/reseal-oauth-configs.ts";
import { signInTenantSocial } from "../features/oauth/sign-in-social.ts";
import { tenantCallback, tenantOwnCallback } from "../features/oauth/tenant-callback.ts";
import { tenantSharedCallback } from "../features/oauth/tenant-shared-callback.ts";
import { testOauthConfig } from "../features/oauth/test-oauth-config.ts";
import { createTenant } from "../features/tenants/create-tenant.ts";
import { deleteTenant } from "../features/tenants/delete-tenant.ts";
import { getCurrentTenant } from "../features/tenants/get-current-tenant.ts";
import { getTenant } from "../features/tenants/get-tenant.ts";
import { listTenants } from "../features/tenants/list-tenants.ts";
import { createSlugCheck } from "../features/tenants/tenant-input.ts";
import { updateTenant } from "../features/tenants/update-tenant.ts";
import { exportUsers } from "../features/transfer/export-users.ts";
import { importTenant } from "../features/transfer/import-tenant.ts";
import { importUsers } from "../features/transfer/import-users.ts";
import { refuseEndedLinks } from "../features/unproven/ended-links.ts";
import { endRequest } from "../load/hashing/bounded-hashing.ts";
import { createSchema } from "../scope/data/schema.ts";
import { replaceUncaught } from "../scope/pin/outage.ts";
import { createTenantContext, type TenantContext } from "../scope/pin/tenant-context.ts";
import { requestScopeOf } from "../scope/request/request-scope.ts";
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
	const checkSlug = createSlugCheck(options.reservedSlugs);
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
			});
			warnOfWeaknesses(context);
			return startServices(context, options, { pin, management });
		},
		hooks: {
			before: [
				{ matcher: responseFloor.matcher, handler: responseFloor.before },
				{ matcher: () => true, handler: createHook(async (ctx) => requestScopeOf(ctx).before(ctx)) },
				refuseEndedLinks,
			],
			after: [inSteps(afterSteps(pin, responseFloor))],
		},
		endpoints: {
			createTenant: createTenant(management, checkSlug),
			getTenant: getTenant(management),
			listTenants: listTenants(management),
			updateTenant: updateTenant(management, checkSlug),
			deleteTenant: deleteTenant(management),
			addTenantDomain: addDomain(management),
			listTenantDomains: listDomains(management),
			removeTenantDomain: removeDomain(management),
			impersonateTenantUser: impersonateUser(management, options.impersonation),
			importTenant: importTenant(management, checkSlug),
			exportTenantUsers: exportUsers(management),
			importTenantUsers: importUsers(management, options.transfer.acceptsPasswordHash),
			signUpTenantEmail: signUpTenantEmail(pin.current),
			signInTenantEmail: signInTenantEmail(pin.current),
			registerTenantOauthConfig: registerOauthConfig(management, options),
			listTenantOauthConfigs: listOauthConfigs(management),
			deleteTenantOauthConfig: deleteOauthConfig(management),
			testTenantOauthConfig: testOauthConfig(management),
			signInTenantSocial: signInTenantSocial(pin.current),
			getTenantSignInMethods: signInMethods(options.sources),
			getCurrentTenant: getCurrentTenant(pin.current),
			resealTenantOauthConfigBatch: resealOauthConfigBatch(),
			tenantCallback: tenantCallback(pin.current),
			tenantOwnCallback: tenantOwnCallback(pin.current),
			tenantSharedCallback: tenantSharedCallback(pin.current),
		},
		onRequest,
		onResponse: async (response: Response, context: AuthContext) => {
			endRequest(context);
			return replaceUncaught(response, context);
		},
		rateLimit: rateLimitRules,
		$ERROR_CODES: {
			...TENANT_AUTH_ERROR_CODES,
			...TRANSFER_ERROR_CODES,
			...SSO_ERROR_CODES,
			...CONCURRENCY_ERROR_CODES,
		},
		options: given,
	} satisfies BetterAuthPlugin;
};
