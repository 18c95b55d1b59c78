import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { addressOf, createCounterKey } from "../endpoints/counter-key.ts";
import { copyCustomRules } from "../endpoints/rate-limits.ts";
import { newestForCallers } from "../engine/newest-for-callers.ts";
import { countByKey, renameStored } from "../engine/rate-limit-storage.ts";
import { provideAll } from "../engine/service.ts";
import { createDatabaseCheck } from "../features/database/check.ts";
import { isMysql, isPostgres } from "../features/database/driver.ts";
import { enforceUniques } from "../features/database/memory-uniques.ts";
import { createDomains } from "../features/domains/create-domains.ts";
import { domainsOf } from "../features/domains/managed-domains.ts";
import { FLOOR, responseFloorOf } from "../features/email/response-floor.ts";
import { createImpersonationGuard } from "../features/management/impersonation-guard.ts";
import { type Management, managementOf } from "../features/management/management.ts";
import { createVerificationEnd, verificationEndOf } from "../features/move/end-verifications.ts";
import { startUserMove } from "../features/move/start-move.ts";
import { userMoveOf } from "../features/move/user-move.ts";
import { readUserTables, userLinks, userTablesOf } from "../features/move/user-tables.ts";
import { callBoundsOf, createCallBounds } from "../features/oauth/bounded-provider.ts";
import { callbackBaseOf, callbackURLsOf, createCallbackURLs } from "../features/oauth/callback-urls.ts";
import { createOauthConfigStores } from "../features/oauth/config-store.ts";
import { engineTables } from "../features/oauth/engine-tables.ts";
import { createFlowProvider, flowProviderOf } from "../features/oauth/flow-provider.ts";
import { genericAuthorities, genericRedirects } from "../features/oauth/generic-authorities.ts";
import { createManagedConfigs, oauthConfigsOf } from "../features/oauth/managed-configs.ts";
import { createOauthPreparation } from "../features/oauth/prepare-oauth.ts";
import { createPublicBaseURL } from "../features/oauth/public-base-url.ts";
import { createReseal, credentialTables, resealOf } from "../features/oauth/reseal.ts";
import { createSeal } from "../features/oauth/seal.ts";
import { createTenantProviders, globalProvidersOf, tenantProvidersOf } from "../features/oauth/tenant-providers.ts";
import { createPasskeyOriginCheck } from "../features/passkey/assert-origin.ts";
import { createSsoMethods, ssoMethodsOf } from "../features/sso/list-sso-methods.ts";
import { SSO_TABLE, sealProviders } from "../features/sso/sealed-providers.ts";
import { type ClosedTenants, closedTenantsOf } from "../features/tenants/closing.ts";
import { countDeletions } from "../features/tenants/count-deletions.ts";
import { createDeletion, deletionOf } from "../features/tenants/deletion.ts";
import { createNameInApps } from "../features/tenants/name-in-apps.ts";
import { endStoredSessions } from "../features/tenants/stored-deletion.ts";
import { createRowSweep } from "../features/tenants/sweep-rows.ts";
import { createUserExport, userExportOf } from "../features/transfer/user-export.ts";
import { createUserImport, userImportOf } from "../features/transfer/user-import.ts";
import { createRefusalCheck } from "../features/triggers/refusal-check.ts";
import { guardProofs } from "../features/unproven/guard-proofs.ts";
import { rememberPasswords } from "../features/unproven/known-passwords.ts";
import { bodyBoundsOf } from "../load/bounds/body-bounds.ts";
import { boundFields } from "../load/bounds/bounded-adapter.ts";
import { boundStorage } from "../load/bounds/bounded-storage.ts";
import { readFieldBounds } from "../load/bounds/field-bounds.ts";
import { createSentFieldCheck } from "../load/bounds/sent-fields.ts";
import { admitTo } from "../load/concurrency/slot.ts";
import { boundHashing, enginePasswordOf } from "../load/hashing/bounded-hashing.ts";
import { createEarlyShed, shedEarlyOf } from "../load/hashing/shed-early.ts";
import { createCounters } from "../load/limits/counters.ts";
import { createLimits } from "../load/limits/limits.ts";
import { createSessionsPerUser } from "../load/limits/sessions-per-user.ts";
import { companionsOf, createUserGuard, guardStorage, userGuardOf } from "../scope/compose/companion.ts";
import { type ScopedMethods, scopeAdapter } from "../scope/data/adapter.ts";
import { readAllSessions } from "../scope/data/all-sessions.ts";
import { apiKeyGuardOf, createApiKeyGuard } from "../scope/data/api-key-guard.ts";
import { createConsumeOrder } from "../scope/data/consume-order.ts";
import { createGrantGuard, grantGuardOf } from "../scope/data/grant-guard.ts";
import { createNamedRows } from "../scope/data/named-row-id.ts";
import { createRawAdapter } from "../scope/data/raw-adapter.ts";
import { guardSigningKeys } from "../scope/data/signing-keys.ts";
import { scopeStorage } from "../scope/data/storage.ts";
import { readTables } from "../scope/data/tables.ts";
import { noticingFailures } from "../scope/pin/outage.ts";
import { pinOf, type TenantContext } from "../scope/pin/tenant-context.ts";
import { hasLifecycle } from "../scope/pin/tenant-state.ts";
import { createCredentialLookup } from "../scope/request/credential-lookup.ts";
import { createForesight, foreseeOf, noLookUp } from "../scope/request/foresee.ts";
import { tagMailLinks } from "../scope/request/mail-links.ts";
import {
	createRequestScope,
	databaseCheckOf,
	pinBeforeApplicationHook,
	requestScopeOf,
} from "../scope/request/request-scope.ts";
import { createTenantObjects } from "../scope/request/tenant-objects.ts";
import { createUncachedSessions } from "../scope/request/uncached-sessions.ts";
import { allSecrets, createSecretVersions } from "../scope/secrets/secret-versions.ts";
import { createTenantSecrets, tenantSecretsOf, verifyingSecretsOf } from "../scope/secrets/secrets.ts";
import { createSignedAgain } from "../scope/secrets/signed-again.ts";
import { createSignedValues, signedValuesOf } from "../scope/secrets/signed-values.ts";
import { requireStorage } from "../scope/sessions/copied-users.ts";
import { readDeactivated } from "../scope/sessions/deactivated-users.ts";
import { endCopies } from "../scope/sessions/ended-copies.ts";
import { endCachedSessions, hideEndedSessions } from "../scope/sessions/ended-sessions.ts";
import { refuseLostUsers } from "../scope/sessions/lost-users.ts";
import { createPendingSessions, pendingSessionsOf } from "../scope/sessions/pending-sessions.ts";
import { createPlatformAccess } from "../scope/sessions/platform-access.ts";
import { tenantSessions } from "../scope/sessions/sessions.ts";
import { areInDatabase, sessionsByDatabase } from "../scope/sessions/sessions-by-database.ts";
import { keepListsWhole } from "../scope/sessions/whole-lists.ts";
import { HANDED } from "../scope/tenants/handed-to-resolvers.ts";
import { hostPlacesOf } from "../scope/tenants/hosts.ts";
import {
	createExplicitCheck,
	createKnownTenants,
	knownTenantsOf,
	tenantCacheOf,
} from "../scope/tenants/known-tenants.ts";
import { createTenantProfiles, profilesOf } from "../scope/tenants/tenant-profiles.ts";
import { tenantStoreOf } from "../scope/tenants/tenant-store.ts";
import type { ResolvedOptions } from "./options.ts";
import { adapterLayers, checks, engineStorageLayers, storageLayers, wrapIn } from "./steps.ts";
import { activityOf } from "./tenant-activity.ts";

/** What the engine merges into its context and options. */
export type Started = Exclude<Awaited<ReturnType<NonNullable<BetterAuthPlugin["init"]>>>, void>;

/** Builds the services on the engine's own adapter, storage and secrets, and replaces those with scoped ones. */
export const startServices = (
	context: AuthContext,
	options: ResolvedOptions,
	{ pin, management }: { pin: TenantContext; management: Management },
): Started => {
	const { tables, secret, secretConfig } = context;
	const tablesByName = readTables(tables);
	const fieldBounds = readFieldBounds(tables, tablesByName, options.sizes.fields);
	const engineAdapter = boundFields(enforceUniques(context.adapter, tables, tablesByName), fieldBounds);
	const raw = createRawAdapter(engineAdapter);
	const { adapter } = raw;
	const engineOptions = context.options;
	const storage = engineOptions.secondaryStorage;

	const known = createKnownTenants(adapter, {
		...options.tenantCache,
		inTransaction: raw.inTransaction,
		lifecycle: hasLifecycle(tables),
	});
	const { sessionsSince } = known;
	const assertOpen = createExplicitCheck(known);
	const { hosts, domains, domainStore, handed, ...found } = createDomains({
		adapter,
		known,
		options: engineOptions,
		cache: options.tenantCache,
		rules: options.hosts,
	});
	const { tenants, profiles } = createTenantProfiles({
		tenants: found.tenants,
		cache: options.tenantCache,
		inTransaction: raw.inTransaction,
		options: options.profile,
	});
	const nameInApps = createNameInApps(profiles);
	const seal = createSeal(secretConfig);
	// read at each request, because later plugins may add providers
	const globalProviders = () => context.socialProviders;
	const storeOf = createOauthConfigStores(adapter, seal, {
		hasSso: SSO_TABLE in tables,
		globalOptions: (providerId) => globalProviders().find(({ id }) => id === providerId)?.options,
	});
	const genericAuthority = genericAuthorities(engineOptions.plugins ?? []);
	const callbackBase = options.callbackHost !== null && hosts ? hosts.baseURLOf(options.callbackHost) : null;
	const providers = createTenantProviders({
		storeOf,
		cache: options.tenantCache,
		providerTimeout: options.providerTimeout,
		allowPrivateHosts: options.allowPrivateHosts,
		genericAuthority,
		genericRedirect: genericRedirects(engineOptions.plugins ?? []),
		callbackBase,
		onUnusable: ({ tenantId, providerId }) =>
			context.logger.error(
				`tenantAuth: the OAuth config of tenant ${tenantId} for ${providerId} cannot be decrypted. It was moved, or encrypted with a secret that was removed. Register it again.`,
			),
	});
	const limit = options.verifyWithAllSecrets ? (all: typeof secretConfig) => all : newestForCallers;
	const secrets = createTenantSecrets({ secret, secretConfig }, sessionsSince, limit);
	const versions = options.verifyWithAllSecrets
		? createSecretVersions({ secret, secretConfig }, secrets, sessionsSince)
		: null;
	const impersonation = createImpersonationGuard(options.impersonation.allow, {
		isEnabled: options.management.impersonation !== undefined,
	});
	const skipCachedSessions = createUncachedSessions(engineOptions);
	const prepareOauth = createOauthPreparation(providers, context);
	const orderConsumption = createConsumeOrder(context);
	const assertPasskeyOrigin = createPasskeyOriginCheck(options.sources);
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
	const isUsers = (model: string): boolean => tablesByName(model).key === "user";
	const companions = companionsOf(engineOptions.plugins);
	const apiKeys = createApiKeyGuard({
		pin,
		keyOf: (model) => tablesByName(model).key,
		hasOrganizations: "organization" in tables,
	});
	const ownStorage =
		storage &&
		wrapIn(
			storageLayers({
				scope: (inner) => scopeStorage(inner, pin, assertOpen),
				boundValues: (inner) => boundStorage(inner, fieldBounds, options.sizes.storedValue),
				refuseLostUsers,
				hideEnded: (inner) => (sessionsSince ? hideEndedSessions(inner, pin, sessionsSince) : inner),
				guardCompanions: (inner) => guardStorage(companions, inner, { pin, adapter: () => scopedAdapter }),
				guardApiKeys: (inner) => apiKeys.guardStorage(inner, () => scopedAdapter),
			}),
			storage,
		);
	const guardUsers = platformAccess.guardUsers(isUsers);
	const guardCopies = ownStorage ? requireStorage(noticingFailures(ownStorage), isUsers) : same;
	const isSessions = (model: string): boolean => tablesByName(model).key === "session";
	const endStoredCopies =
		ownStorage && areInDatabase(engineOptions.session) ? endCopies(noticingFailures(ownStorage), isSessions) : same;
	const allSessions = readAllSessions(isSessions);
	const guardKeys = guardSigningKeys(pin, (model) => tablesByName(model).key === "jwks");
	const userTables = readUserTables(tables, tablesByName);
	const userGuard = createUserGuard(companions, {
		pin,
		raw: adapter,
		inTransaction: raw.inTransaction,
		isUsers,
		transaction: (run) => scopedAdapter.transaction(run),
		holdOpen: tenants.holdOpen,
		linksOf: userLinks(userTables, (model) => tablesByName(model).key),
		hasTable: (key) => key in tables,
	});
	const endUnproven = options.keepUnprovenPasswords
		? same
		: guardProofs({
				pin,
				isUsers,
				isAccounts: (model) => tablesByName(model).key === "account",
				adapter: () => scopedAdapter,
			});
	const limits = createLimits({
		limits: options.limits,
		// the engine requires `increment` only if its own rate limits use the storage
		storage: storage?.increment && ownStorage ? noticingFailures(ownStorage) : undefined,
		sharedStorage: storage?.increment ? noticingFailures(storage) : undefined,
		isFactors: (model) => tablesByName(model).key === "twoFactor",
		isShortLived: (model) => ["verification", "deviceCode"].includes(tablesByName(model).key),
	});
	const counterKey = createCounterKey(engineOptions);
	const sameCounters = renameStored((model) => tablesByName(model).key === "rateLimit", counterKey);
	const scopedAdapter: DBAdapter = scopeAdapter(engineAdapter, {
		raw,
		pin,
		tables: tablesByName,
		namedRows: createNamedRows(engineOptions.advanced?.database?.generateId),
		assertOpen,
		decorate: (methods) =>
			wrapIn(
				adapterLayers({
					sealProviders: SSO_TABLE in tables ? sealSso : same,
					readAllSessions: allSessions,
					guardSigningKeys: guardKeys,
					endCopies: endStoredCopies,
					guardUsers: userGuard.wrap,
					guardApiKeys: apiKeys.wrap,
					closePlatform: guardUsers,
					requireCopies: guardCopies,
					endUnproven,
					bound: limits.guardRows,
					renameCounters: sameCounters,
				}),
				methods,
			),
	});
	const pendingSessions = createPendingSessions(pin, scopedAdapter);
	const grants = createGrantGuard();
	const deactivated = readDeactivated(context, () => scopedAdapter, raw);
	if (deactivated) {
		apiKeys.use((_, { user }) => deactivated.isDeactivated(user.id));
		grants.use((_, { user }) => deactivated.isDeactivated(user.id));
	}
	const assertTenantsOpen = createDatabaseCheck({
		context,
		client: options.database.client,
		trustIndexes: options.database.trustIndexes,
	});

	const listedStorage =
		ownStorage &&
		wrapIn(
			engineStorageLayers({
				keepListsWhole: (inner) =>
					typeof storage?.increment === "function" && !areInDatabase(engineOptions.session)
						? keepListsWhole(inner, pin)
						: inner,
				decideByDatabase: (inner) =>
					areInDatabase(engineOptions.session) ? sessionsByDatabase(inner, scopedAdapter, pin) : inner,
				noticeFailures: noticingFailures,
				charge: limits.guardStorage,
			}),
			ownStorage,
		);
	const sessionsPerUser = createSessionsPerUser({
		max: options.sessionsPerUser,
		pin,
		context,
		adapter: () => scopedAdapter,
	});
	const scopedStorage = listedStorage && sessionsPerUser.guardStorage(listedStorage);
	const counted = storage?.increment ? scopedStorage : undefined;
	const counters = createCounters(counted);
	countByKey(context, {
		keyOf: counterKey,
		count: (rule, key) => counters(rule)(key, { tenantId: "", network: addressOf(key) }),
		storage: counted,
	});
	const hashing = boundHashing(context.password, options.hashing, pin.current);
	const foresee = createForesight({
		sources: options.sources,
		lookUpCredential: createCredentialLookup(context, noLookUp),
	});

	const sweepRows = createRowSweep({
		adapter,
		oneByOne: isMysql(context),
		byKeyOnly: isPostgres(context),
		batchSize: options.deletion.batchSize,
		beforeBatch: async (model, ids, closing) => {
			if (model === "user" && storage) await endStoredSessions(storage, closing, ids);
		},
	});
	const { gracePeriod } = options.deletion;
	const closed: ClosedTenants = {
		adapter,
		storage,
		gracePeriod,
		sweepRows,
		refusesRows: createRefusalCheck(context, {
			client: options.database.client,
			// a chosen time is a choice, and a storage refuses nothing
			never: options.deletion.waitsAlways || storage !== undefined,
		}),
	};
	const deletions = countDeletions(
		createDeletion({
			storage,
			schema: tables,
			tenants,
			known,
			shared: closed,
			sweepRows,
		}),
	);

	const verifications = createVerificationEnd({ adapter, storage, hasTable: "verification" in tables });

	const requestScope = createRequestScope({
		pin,
		known,
		hosts,
		sources: options.sources,
		lookUpCredential: createCredentialLookup(context, adapter),
		objects: createTenantObjects(scopedAdapter, context.getPlugin, sessionsSince),
		secrets,
		signedAgain: versions && createSignedAgain(versions),
		assertTenantsOpen,
		assertSentFields: createSentFieldCheck(fieldBounds, tables),
		admit: (tenantId) => admitTo(tenantId, pin),
		checks: checks({
			orderConsumption,
			countRequest: limits.countRequest,
			assertPlatformOpen: platformAccess.before,
			restrictImpersonation: impersonation.before,
			withholdPending: pendingSessions.before,
			skipCachedSessions,
			guardGrants: grants.before,
			prepareProviders: prepareOauth,
			assertPasskeyOrigin,
			nameTenant: nameInApps,
			standInLine: hashing.standInLine,
		}),
	});
	const services = provideAll([
		requestScopeOf.as(requestScope),
		userTablesOf.as(userTables),
		verificationEndOf.as(verifications),
		pinOf.as(pin),
		managementOf.as(management),
		tenantStoreOf.as(tenants),
		profilesOf.as(profiles),
		deletionOf.as(deletions.deletion),
		closedTenantsOf.as(closed),
		activityOf.as(() => ({ hashing: hashing.counts(), deletions: deletions.counts() })),
		hostPlacesOf.as(hosts),
		domainsOf.as(domains),
		oauthConfigsOf.as(createManagedConfigs({ known, tenants, storeOf, forget: providers.forget })),
		knownTenantsOf.as(known),
		tenantCacheOf.as(options.tenantCache),
		tenantProvidersOf.as(providers),
		globalProvidersOf.as(globalProviders),
		callbackBaseOf.as(callbackBase),
		flowProviderOf.as(createFlowProvider(providers, globalProviders)),
		callbackURLsOf.as(
			createCallbackURLs({
				hosts,
				callbackBase,
				tenants,
				domains: domainStore,
				publicBaseURL: createPublicBaseURL(engineOptions),
			}),
		),
		resealOf.as(
			createReseal(adapter, [...credentialTables(seal, SSO_TABLE in tables), ...engineTables(context, secrets)]),
		),
		tenantSecretsOf.as(secrets),
		verifyingSecretsOf.as([
			...new Set([secret, ...(options.verifyWithAllSecrets ? allSecrets({ secretConfig }) : [])]),
		]),
		signedValuesOf.as(createSignedValues(secrets, versions)),
		callBoundsOf.as(() => createCallBounds(options.providerTimeout, options.allowPrivateHosts)),
		pendingSessionsOf.as(pendingSessions),
		grantGuardOf.as(grants),
		apiKeyGuardOf.as(apiKeys),
		foreseeOf.as(foresee),
		bodyBoundsOf.as(options.sizes.bodies),
		shedEarlyOf.as(createEarlyShed({ foresee, ...hashing.line })),
		responseFloorOf.as({ milliseconds: FLOOR }),
		enginePasswordOf.as(context.password),
		databaseCheckOf.as(assertTenantsOpen),
		userGuardOf.as(userGuard),
		userExportOf.as(createUserExport(scopedAdapter)),
		userImportOf.as(createUserImport({ adapter: scopedAdapter, raw: adapter, tenants })),
		ssoMethodsOf.as(createSsoMethods(adapter, tables)),
		userMoveOf.as(
			startUserMove(context, {
				adapter: scopedAdapter,
				raw: adapter,
				storage,
				tenants,
				userTables,
				verifications,
				secrets,
				providers,
				globalProviders,
				genericAuthority,
				assertTenantsOpen,
				assertMayLeave: userGuard.assertMayLeave,
				gracePeriod,
			}),
		),
	]);

	// the engine does not let a plugin override options, so these are replaced in its (already copied) options
	if (scopedStorage) engineOptions.secondaryStorage = scopedStorage;
	if (sessionsSince) endCachedSessions(engineOptions, pin, sessionsSince);
	tagMailLinks(engineOptions, pin);
	pinBeforeApplicationHook(engineOptions, requestScope.before);

	const password = limits.countPasswords(hashing.password);
	return {
		context: {
			adapter: scopedAdapter,
			// for calls of the platform that run without the hooks
			secretConfig: limit(secretConfig),
			secondaryStorage: engineOptions.secondaryStorage,
			rateLimit: copyCustomRules(context.rateLimit),
			password: options.keepUnprovenPasswords ? password : rememberPasswords(password),
			tenantAuth: services,
			[HANDED]: handed,
		},
		options: tenantSessions(pin, scopedAdapter, platformAccess, pendingSessions, deactivated, sessionsPerUser),
	};
};

/** Stands for a layer that an instance does not need. */
const same = (methods: ScopedMethods): ScopedMethods => methods;
