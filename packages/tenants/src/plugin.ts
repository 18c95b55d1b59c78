import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { CONCURRENCY_ERROR_CODES } from "./concurrency-error-codes.ts";
import { addDomain } from "./domains/add-domain.ts";
import { listDomains } from "./domains/list-domains.ts";
import { removeDomain } from "./domains/remove-domain.ts";
import { createResponseFloor } from "./email/response-floor.ts";
import { signInTenantEmail } from "./email/sign-in-email.ts";
import { signUpTenantEmail } from "./email/sign-up-email.ts";
import { warnOfWeaknesses } from "./engine/fixed-weaknesses.ts";
import { createHook } from "./engine/hook.ts";
import { inSteps } from "./engine/in-steps.ts";
import { PLUGIN_ID } from "./engine/service.ts";
import { rateLimitRules } from "./engine/rate-limits.ts";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes.ts";
import { onRequest } from "./guards/on-request.ts";
import { endRequest } from "./hashing/bounded-hashing.ts";
import { createManagement } from "./management/management.ts";
import { deleteOauthConfig } from "./oauth/delete-oauth-config.ts";
import { listOauthConfigs } from "./oauth/list-oauth-configs.ts";
import { registerOauthConfig } from "./oauth/register-oauth-config.ts";
import { resealOauthConfigBatch } from "./oauth/reseal-oauth-configs.ts";
import { signInTenantSocial } from "./oauth/sign-in-social.ts";
import { tenantCallback, tenantOwnCallback } from "./oauth/tenant-callback.ts";
import { tenantSharedCallback } from "./oauth/tenant-shared-callback.ts";
import { testOauthConfig } from "./oauth/test-oauth-config.ts";
import { resolveOptions, type TenantAuthOptions } from "./options.ts";
import { createSchema } from "./schema.ts";
import { replaceUncaught } from "./scope/outage.ts";
import { requestScopeOf } from "./scope/request-scope.ts";
import { createTenantContext, type TenantContext } from "./scope/tenant-context.ts";
import { SSO_ERROR_CODES } from "./sso-error-codes.ts";
import { type Started, startServices } from "./start-services.ts";
import { assertSafeToStart } from "./startup-checks.ts";
import { afterSteps } from "./steps.ts";
import { createTenant } from "./tenants/create-tenant.ts";
import { deleteTenant } from "./tenants/delete-tenant.ts";
import { getCurrentTenant } from "./tenants/get-current-tenant.ts";
import { getTenant } from "./tenants/get-tenant.ts";
import { impersonateUser } from "./tenants/impersonate-user.ts";
import { listTenants } from "./tenants/list-tenants.ts";
import { signInMethods } from "./tenants/sign-in-methods.ts";
import { createSlugCheck } from "./tenants/tenant-input.ts";
import { updateTenant } from "./tenants/update-tenant.ts";
import { exportUsers } from "./transfer/export-users.ts";
import { importTenant } from "./transfer/import-tenant.ts";
import { importUsers } from "./transfer/import-users.ts";
import { TRANSFER_ERROR_CODES } from "./transfer-error-codes.ts";
import { refuseEndedLinks } from "./unproven/ended-links.ts";

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
