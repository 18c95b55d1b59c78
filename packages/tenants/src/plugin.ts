import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import { addTenantClaim, returnsClaims } from "./compose/returned-claims.ts";
import { admitTo } from "./concurrency/slot.ts";
import { CONCURRENCY_ERROR_CODES } from "./concurrency-error-codes.ts";
import { createDatabaseCheck } from "./database/check.ts";
import { isMysql } from "./database/driver.ts";
import { addDomain } from "./domains/add-domain.ts";
import { createDomains } from "./domains/create-domains.ts";
import { listDomains } from "./domains/list-domains.ts";
import { removeDomain } from "./domains/remove-domain.ts";
import { unifySignUpResponses } from "./email/alike-sign-ups.ts";
import { madeSessionForAnother, rememberNewSession } from "./email/new-session.ts";
import { createResponseFloor } from "./email/response-floor.ts";
import { signInTenantEmail } from "./email/sign-in-email.ts";
import { signUpTenantEmail } from "./email/sign-up-email.ts";
import { endpointOf } from "./engine/endpoints.ts";
import { createHook } from "./engine/hook.ts";
import { copyCustomRules, rateLimitRules } from "./engine/rate-limits.ts";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes.ts";
import { onRequest } from "./guards/on-request.ts";
import { boundHashing, endRequest } from "./hashing/bounded-hashing.ts";
import { createEarlyShed } from "./hashing/shed-early.ts";
import { createLimits } from "./limits/limits.ts";
import { createImpersonationGuard, hidesSession } from "./management/impersonation-guard.ts";
import { refusedImpersonation } from "./management/keep-impersonation-off.ts";
import { createManagement, type Management } from "./management/management.ts";
import { startUserMove } from "./move/start-move.ts";
import { createCallBounds } from "./oauth/bounded-provider.ts";
import { createOauthConfigStores } from "./oauth/config-store.ts";
import { deleteOauthConfig } from "./oauth/delete-oauth-config.ts";
import { genericAuthorities } from "./oauth/generic-authorities.ts";
import { listOauthConfigs } from "./oauth/list-oauth-configs.ts";
import { createManagedConfigs } from "./oauth/managed-configs.ts";
import { createOauthPreparation } from "./oauth/prepare-oauth.ts";
import { createPublicBaseURL } from "./oauth/public-base-url.ts";
import { registerOauthConfig } from "./oauth/register-oauth-config.ts";
import { createReseal } from "./oauth/reseal.ts";
import { resealOauthConfigBatch } from "./oauth/reseal-oauth-configs.ts";
import { createSeal } from "./oauth/seal.ts";
import { signInTenantSocial } from "./oauth/sign-in-social.ts";
import { tenantCallback, tenantOwnCallback } from "./oauth/tenant-callback.ts";
import { createTenantProviders } from "./oauth/tenant-providers.ts";
import { type ResolvedOptions, resolveOptions, type TenantAuthOptions } from "./options.ts";
import { createPasskeyOriginCheck } from "./passkey/assert-origin.ts";
import { createSchema } from "./schema.ts";
import { scopeAdapter } from "./scope/adapter.ts";
import { createCredentialLookup } from "./scope/credential-lookup.ts";
import { createForesight, noLookUp } from "./scope/foresee.ts";
import { HANDED } from "./scope/handed-to-resolvers.ts";
import { createExplicitCheck, createKnownTenants } from "./scope/known-tenants.ts";
import { tagMailLinks } from "./scope/mail-links.ts";
import { createNamedRows } from "./scope/named-row-id.ts";
import { metOutage, respondToOutage } from "./scope/outage.ts";
import { createPlatformAccess } from "./scope/platform-access.ts";
import { createRawAdapter } from "./scope/raw-adapter.ts";
import { createRequestScope, mayChangeResponse, pinBeforeApplicationHook } from "./scope/request-scope.ts";
import { createTenantSecrets } from "./scope/secrets.ts";
import { tenantSessions } from "./scope/sessions.ts";
import { guardSigningKeys } from "./scope/signing-keys.ts";
import { scopeStorage } from "./scope/storage.ts";
import { readTables } from "./scope/tables.ts";
import { createTenantContext, type TenantContext } from "./scope/tenant-context.ts";
import { createTenantObjects } from "./scope/tenant-objects.ts";
import { servicesOf, type TenantAuthServices } from "./services.ts";
import { createSsoMethods } from "./sso/list-sso-methods.ts";
import { SSO_TABLE, sealProviders } from "./sso/sealed-providers.ts";
import { SSO_ERROR_CODES } from "./sso-error-codes.ts";
import { assertSafeToStart } from "./startup-checks.ts";
import { createTenant } from "./tenants/create-tenant.ts";
import { deleteTenant } from "./tenants/delete-tenant.ts";
import { createDeletion } from "./tenants/deletion.ts";
import { getTenant } from "./tenants/get-tenant.ts";
import { impersonateUser } from "./tenants/impersonate-user.ts";
import { listTenants } from "./tenants/list-tenants.ts";
import { signInMethods } from "./tenants/sign-in-methods.ts";
import { createSlugCheck } from "./tenants/tenant-input.ts";
import { updateTenant } from "./tenants/update-tenant.ts";
import { exportUsers } from "./transfer/export-users.ts";
import { importTenant } from "./transfer/import-tenant.ts";
import { importUsers } from "./transfer/import-users.ts";
import { createUserExport } from "./transfer/user-export.ts";
import { createUserImport } from "./transfer/user-import.ts";
import { TRANSFER_ERROR_CODES } from "./transfer-error-codes.ts";

const PLUGIN_ID = "tenant-auth";

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
		init: async (context: AuthContext) => {
			await pin.ready();
			assertSafeToStart(context, {
				pluginId: PLUGIN_ID,
				requireTransactions: options.database.requireTransactions,
				hosts: options.hosts,
			});
			return start(context, options, { pin, management });
		},
		hooks: {
			before: [
				{ matcher: responseFloor.matcher, handler: responseFloor.before },
				{ matcher: () => true, handler: createHook(async (ctx) => servicesOf(ctx).requestScope.before(ctx)) },
			],
			after: [
				{
					matcher: refusedImpersonation,
					handler: createHook(async ({ context }) => context.responseHeaders?.delete("set-cookie")),
				},
				{ matcher: ({ path }) => endpointOf(path).signsUp, handler: unifySignUpResponses(pin.current) },
				{ matcher: returnsClaims, handler: addTenantClaim(pin.current) },
				{ matcher: madeSessionForAnother, handler: rememberNewSession },
				{
					matcher: mayChangeResponse,
					handler: createAuthMiddleware(async (ctx) => servicesOf(ctx).requestScope.after(ctx)),
				},
				{ matcher: responseFloor.matcher, handler: responseFloor.after },
				{ matcher: metOutage, handler: createHook(respondToOutage) },
				{
					matcher: hidesSession,
					handler: createHook(async ({ context }) => {
						context.session = null;
						context.newSession = null;
					}),
				},
			],
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
			signInTenantSocial: signInTenantSocial(pin.current),
			getTenantSignInMethods: signInMethods(options.sources),
			resealTenantOauthConfigBatch: resealOauthConfigBatch(),
			tenantCallback: tenantCallback(pin.current),
			tenantOwnCallback: tenantOwnCallback(pin.current),
		},
		onRequest,
		onResponse: async (_response: Response, context: AuthContext) => endRequest(context),
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

/** Builds the services on the engine's own adapter, storage and secrets, and replaces those with scoped ones. */
const start = (
	context: AuthContext,
	options: ResolvedOptions,
	{ pin, management }: { pin: TenantContext; management: Management },
) => {
	const { tables, secret, secretConfig } = context;
	const raw = createRawAdapter(context.adapter);
	const { adapter } = raw;
	const engineOptions = context.options;
	const storage = engineOptions.secondaryStorage;

	const known = createKnownTenants(adapter, { ...options.tenantCache, inTransaction: raw.inTransaction });
	const assertOpen = createExplicitCheck(known);
	const { tenants, hosts, domains, handed } = createDomains({
		adapter,
		known,
		options: engineOptions,
		cache: options.tenantCache,
		rules: options.hosts,
	});
	const seal = createSeal(secretConfig);
	// read at each request, because later plugins may add providers
	const globalProviders = () => context.socialProviders;
	const storeOf = createOauthConfigStores(adapter, seal, {
		hasSso: SSO_TABLE in tables,
		globalOptions: (providerId) => globalProviders().find(({ id }) => id === providerId)?.options,
	});
	const genericAuthority = genericAuthorities(engineOptions.plugins ?? []);
	const providers = createTenantProviders({
		storeOf,
		cache: options.tenantCache,
		providerTimeout: options.providerTimeout,
		allowPrivateHosts: options.allowPrivateHosts,
		genericAuthority,
		onUnusable: ({ tenantId, providerId }) =>
			context.logger.error(
				`tenantAuth: the OAuth config of tenant ${tenantId} for ${providerId} cannot be decrypted. It was moved, or encrypted with a secret that was removed. Register it again.`,
			),
	});
	const secrets = createTenantSecrets({ secret, secretConfig });
	const impersonation = createImpersonationGuard(options.impersonation.allow, {
		isEnabled: options.management.impersonation !== undefined,
	});
	const prepareOauth = createOauthPreparation(providers, globalProviders);
	const assertPasskeyOrigin = createPasskeyOriginCheck(options.sources);
	const tablesByName = readTables(tables);
	const sealSso = sealProviders({
		seal,
		pin,
		isProviders: (model) => tablesByName(model).key === SSO_TABLE,
		onUnreadable: ({ tenantId, providerId }) =>
			context.logger.error(
				`tenantAuth: the settings of SSO provider ${providerId} of tenant ${tenantId} cannot be decrypted. They were stored before this plugin was installed, moved, or encrypted with a secret that was removed. Delete the provider and register it again.`,
			),
	});
	const platformAccess = createPlatformAccess(options.platform, pin);
	const guardUsers = platformAccess.guardUsers((model) => tablesByName(model).key === "user");
	const guardKeys = guardSigningKeys(pin, (model) => tablesByName(model).key === "jwks");
	const scopedAdapter = scopeAdapter(context.adapter, {
		raw,
		pin,
		tables: tablesByName,
		namedRows: createNamedRows(engineOptions.advanced?.database?.generateId),
		assertOpen,
		decorate: (methods) => guardUsers(guardKeys(sealSso(methods))),
	});
	const assertTenantsOpen = createDatabaseCheck({
		context,
		client: options.database.client,
		trustIndexes: options.database.trustIndexes,
	});

	const scopedStorage = storage && scopeStorage(storage, pin, assertOpen);
	const limits = createLimits({
		limits: options.limits,
		// the engine requires `increment` only if its own rate limits use the storage
		storage: storage?.increment ? scopedStorage : undefined,
	});
	const hashing = boundHashing(context.password, options.hashing, pin.current);
	const foresee = createForesight({
		sources: options.sources,
		lookUpCredential: createCredentialLookup(context, noLookUp),
	});

	const services: TenantAuthServices = {
		pin,
		management,
		requestScope: createRequestScope({
			pin,
			known,
			hosts,
			sources: options.sources,
			lookUpCredential: createCredentialLookup(context, adapter),
			objects: createTenantObjects(scopedAdapter, context.getPlugin),
			secrets,
			assertTenantsOpen,
			admit: (tenantId) => admitTo(tenantId, pin),
			onPinned: async (ctx, tenantId) => {
				await limits.countRequest(ctx, tenantId);
				platformAccess.before(ctx);
				await impersonation.before(ctx);
				await prepareOauth(ctx, tenantId);
				await assertPasskeyOrigin(ctx, tenantId);
				await hashing.standInLine(ctx);
			},
		}),
		tenants,
		deletion: createDeletion({
			adapter,
			storage,
			schema: tables,
			tenants,
			known,
			oneByOne: isMysql(context),
			...options.deletion,
		}),
		hosts,
		domains,
		configs: createManagedConfigs({ known, storeOf, forget: providers.forget }),
		known,
		providers,
		globalProviders,
		publicBaseURL: createPublicBaseURL(engineOptions),
		reseal: createReseal(adapter, seal, SSO_TABLE in tables),
		secrets,
		callBounds: () => createCallBounds(options.providerTimeout, options.allowPrivateHosts),
		impersonation,
		foresee,
		shedEarly: createEarlyShed({ foresee, ...hashing.line }),
		assertTenantsOpen,
		exportUsers: createUserExport(scopedAdapter),
		importUsers: createUserImport({ adapter: scopedAdapter, raw: adapter, tenants }),
		ssoMethods: createSsoMethods(adapter, tables),
		moveUsers: startUserMove(context, {
			adapter: scopedAdapter,
			raw: adapter,
			storage,
			tenants,
			tables: tablesByName,
			secrets,
			providers,
			globalProviders,
			genericAuthority,
			assertTenantsOpen,
			gracePeriod: options.deletion.gracePeriod,
		}),
	};

	// the engine does not let a plugin override options, so these are replaced in its (already copied) options
	if (scopedStorage) engineOptions.secondaryStorage = scopedStorage;
	tagMailLinks(engineOptions, pin);
	pinBeforeApplicationHook(engineOptions, services.requestScope.before);

	return {
		context: {
			adapter: scopedAdapter,
			secondaryStorage: engineOptions.secondaryStorage,
			rateLimit: copyCustomRules(context.rateLimit),
			password: limits.countPasswords(hashing.password),
			tenantAuth: services,
			[HANDED]: handed,
		},
		options: tenantSessions(pin, scopedAdapter, platformAccess),
	};
};
