import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { addressOf, createCounterKey } from "../endpoints/counter-key.ts";
import { copyCustomRules } from "../endpoints/rate-limits.ts";
import { countByKey } from "../engine/rate-limit-storage.ts";
import { type Provided, provideAll } from "../engine/service.ts";
import { createDatabaseCheck } from "../features/database/check.ts";
import { FLOOR, responseFloorOf } from "../features/email/response-floor.ts";
import { createImpersonationGuard } from "../features/management/impersonation-guard.ts";
import { type Management, managementOf } from "../features/management/management.ts";
import { createVerificationEnd, verificationEndOf } from "../features/move/end-verifications.ts";
import { startUserMove } from "../features/move/start-move.ts";
import { userMoveOf } from "../features/move/user-move.ts";
import { userTablesOf } from "../features/move/user-tables.ts";
import { oauth } from "../features/oauth/feature.ts";
import { createPasskeyOriginCheck } from "../features/passkey/assert-origin.ts";
import { sso } from "../features/sso/feature.ts";
import { SSO_TABLE } from "../features/sso/sealed-providers.ts";
import { tenants } from "../features/tenants/feature.ts";
import { rememberPasswords } from "../features/unproven/known-passwords.ts";
import { bodyBoundsOf } from "../load/bounds/body-bounds.ts";
import { createSentFieldCheck } from "../load/bounds/sent-fields.ts";
import { admitTo } from "../load/concurrency/slot.ts";
import { boundHashing, enginePasswordOf } from "../load/hashing/bounded-hashing.ts";
import { createEarlyShed, shedEarlyOf } from "../load/hashing/shed-early.ts";
import { createCounters } from "../load/limits/counters.ts";
import { sharedCountOf } from "../load/limits/shared-count.ts";
import { userGuardOf } from "../scope/compose/companion.ts";
import { apiKeyGuardOf } from "../scope/data/api-key-guard.ts";
import { createConsumeOrder } from "../scope/data/consume-order.ts";
import { createGrantGuard, grantGuardOf } from "../scope/data/grant-guard.ts";
import { pinOf, type TenantContext } from "../scope/pin/tenant-context.ts";
import { createCredentialLookup } from "../scope/request/credential-lookup.ts";
import { tagMailLinks } from "../scope/request/mail-links.ts";
import { createTenantInstances } from "../scope/request/per-tenant-instances.ts";
import { createTenantPrediction, noLookUp, predictTenantOf } from "../scope/request/predict-tenant.ts";
import {
	createRequestScope,
	databaseCheckOf,
	pinBeforeApplicationHook,
	requestScopeOf,
} from "../scope/request/request-scope.ts";
import { createUncachedSessions } from "../scope/request/uncached-sessions.ts";
import { createReSigning } from "../scope/secrets/re-sign.ts";
import { allSecrets } from "../scope/secrets/secret-versions.ts";
import { tenantSecretsOf, verifyingSecretsOf } from "../scope/secrets/secrets.ts";
import { createSignedValues, signedValuesOf } from "../scope/secrets/signed-values.ts";
import { readDeactivated } from "../scope/sessions/deactivated-users.ts";
import { endCachedSessions } from "../scope/sessions/ended-sessions.ts";
import { createPendingSessions, pendingSessionsOf } from "../scope/sessions/pending-sessions.ts";
import { tenantSessions } from "../scope/sessions/sessions.ts";
import { hostPlacesOf } from "../scope/tenants/hosts.ts";
import { knownTenantsOf, tenantCacheOf } from "../scope/tenants/known-tenants.ts";
import { RESOLVER_TOOLS } from "../scope/tenants/resolver-tools.ts";
import { profilesOf } from "../scope/tenants/tenant-profiles.ts";
import { tenantStoreOf } from "../scope/tenants/tenant-store.ts";
import { startFeatures } from "./features.ts";
import type { ResolvedOptions } from "./options.ts";
import { type Core, startCore } from "./start-core.ts";
import { startLayers } from "./start-layers.ts";
import { checks } from "./steps.ts";
import { activityOf } from "./tenant-activity.ts";

/** What the engine merges into its context and options. */
export type Started = Exclude<Awaited<ReturnType<NonNullable<BetterAuthPlugin["init"]>>>, void>;

/** Builds the services on the engine's own adapter, storage and secrets, and replaces those with scoped ones. */
export const startServices = (
	context: AuthContext,
	options: ResolvedOptions,
	{ pin, management }: { pin: TenantContext; management: Management },
): Started => {
	const core = startCore(context, options, pin);
	const counterKey = createCounterKey(context.options);
	const oauthParts = oauth.start({ ...core, hasSso: SSO_TABLE in core.tables });
	const ssoParts = sso.start({ ...core, seal: oauthParts.seal });
	const layers = startLayers(core, { sealProviders: ssoParts.sealProviders, counterKey });
	const tenantParts = tenants.start(core);
	const load = startLoad(core, layers, counterKey);
	const sessions = startSessions(core, layers);
	const scope = startScope(core, layers, {
		...sessions,
		standInLine: load.hashing.standInLine,
		prepareProviders: oauthParts.prepareProviders,
		nameTenant: tenantParts.nameTenant,
	});
	const services = provideAll([
		...oauthParts.services,
		...ssoParts.services,
		...tenantParts.services,
		...startFeatures(core, layers.scopedAdapter),
		...load.services,
		...sessions.services,
		...scope.services,
		...startMove(core, layers, { ...oauthParts, assertTenantsOpen: scope.assertTenantsOpen }),
		...provideCore(core),
		managementOf.as(management),
		apiKeyGuardOf.as(layers.apiKeys),
		sharedCountOf.as(layers.ownCount),
		userGuardOf.as(layers.userGuard),
		userTablesOf.as(layers.userTables),
		responseFloorOf.as({ milliseconds: FLOOR }),
		activityOf.as(() => ({ hashing: load.hashing.counts(), deletions: tenantParts.deletions() })),
	]);
	replaceOptions(core, layers, scope.requestScope.before);

	const password = layers.limits.countPasswords(load.hashing.password);
	return {
		context: {
			adapter: layers.scopedAdapter,
			// for calls of the platform that run without the hooks
			secretConfig: core.limitSecrets(context.secretConfig),
			secondaryStorage: context.options.secondaryStorage,
			rateLimit: copyCustomRules(context.rateLimit),
			password: options.keepUnprovenPasswords ? password : rememberPasswords(password),
			tenantAuth: services,
			[RESOLVER_TOOLS]: core.lookup.resolverTools,
		},
		options: tenantSessions(
			pin,
			layers.scopedAdapter,
			layers.platformAccess,
			sessions.pendingSessions,
			sessions.deactivated,
			layers.sessionsPerUser,
		),
	};
};

type Layers = ReturnType<typeof startLayers>;
type Checks = Parameters<typeof checks>[0];

/** What a request finds out about its tenant, before Better Auth has it. */
const startScope = (
	core: Core,
	{ scopedAdapter, limits, platformAccess }: Layers,
	parts: Pick<Checks, "standInLine" | "prepareProviders" | "nameTenant"> & Pick<Sessions, "pendingSessions" | "grants">,
) => {
	const { context, options, pin, known, secretVersions } = core;
	const assertTenantsOpen = createDatabaseCheck({
		context,
		client: options.database.client,
		trustIndexes: options.database.trustIndexes,
	});
	const impersonation = createImpersonationGuard(options.impersonation.allow, {
		isEnabled: options.management.impersonation !== undefined,
	});
	const requestScope = createRequestScope({
		pin,
		known,
		hosts: core.lookup.hosts,
		sources: options.sources,
		lookUpCredential: createCredentialLookup(context, core.adapter),
		instances: createTenantInstances(scopedAdapter, context.getPlugin, core.sessionsSince),
		secrets: core.secrets,
		reSigning: secretVersions && createReSigning(secretVersions),
		assertTenantsOpen,
		assertSentFields: createSentFieldCheck(core.fieldBounds, core.tables),
		admit: (tenantId) => admitTo(tenantId, pin),
		checksOf: checks({
			orderConsumption: createConsumeOrder(context),
			countRequest: limits.countRequest,
			assertPlatformOpen: platformAccess.before,
			restrictImpersonation: impersonation.before,
			withholdPending: parts.pendingSessions.before,
			skipCachedSessions: createUncachedSessions(context.options),
			guardGrants: parts.grants.before,
			prepareProviders: parts.prepareProviders,
			assertPasskeyOrigin: createPasskeyOriginCheck(options.sources),
			nameTenant: parts.nameTenant,
			standInLine: parts.standInLine,
		}),
	});
	return {
		requestScope,
		assertTenantsOpen,
		services: [requestScopeOf.as(requestScope), databaseCheckOf.as(assertTenantsOpen)],
	};
};

type Sessions = ReturnType<typeof startSessions>;

/** Sessions that may not act, or not yet. */
const startSessions = ({ context, pin, raw }: Core, { scopedAdapter, apiKeys }: Layers) => {
	const pendingSessions = createPendingSessions(pin, scopedAdapter);
	const grants = createGrantGuard();
	const deactivated = readDeactivated(context, () => scopedAdapter, raw);
	if (deactivated) {
		apiKeys.use((_, { user }) => deactivated.isDeactivated(user.id));
		grants.use((_, { user }) => deactivated.isDeactivated(user.id));
	}
	return {
		pendingSessions,
		grants,
		deactivated,
		services: [pendingSessionsOf.as(pendingSessions), grantGuardOf.as(grants)],
	};
};

/** How much of the process each tenant may use. */
const startLoad = ({ context, options, pin }: Core, { ownCount }: Layers, counterKey: (key: string) => string) => {
	const counters = createCounters(ownCount);
	countByKey(context, {
		keyOf: counterKey,
		count: (rule, key) => counters(rule)(key, { tenantId: "", network: addressOf(key) }),
		isShared: ownCount !== undefined,
	});
	const hashing = boundHashing(context.password, options.hashing, pin.current);
	const predictTenant = createTenantPrediction({
		sources: options.sources,
		lookUpCredential: createCredentialLookup(context, noLookUp),
	});
	return {
		hashing,
		services: [
			predictTenantOf.as(predictTenant),
			bodyBoundsOf.as(options.sizes.bodies),
			shedEarlyOf.as(createEarlyShed({ predictTenant, ...hashing.line })),
			enginePasswordOf.as(context.password),
		],
	};
};

/** Moves users from one tenant to another. */
const startMove = (
	{ context, options, adapter, storage, tables, tenants: store, secrets }: Core,
	{ scopedAdapter, userTables, userGuard }: Layers,
	parts: Pick<
		Parameters<typeof startUserMove>[1],
		"providers" | "globalProviders" | "genericAuthority" | "assertTenantsOpen"
	>,
): Provided[] => {
	const verifications = createVerificationEnd({ adapter, storage, hasTable: "verification" in tables });
	const move = startUserMove(context, {
		...parts,
		adapter: scopedAdapter,
		raw: adapter,
		storage,
		tenants: store,
		userTables,
		verifications,
		secrets,
		assertMayLeave: userGuard.assertMayLeave,
		drainTime: options.deletion.drainTime,
	});
	return [verificationEndOf.as(verifications), userMoveOf.as(move)];
};

const provideCore = ({ context, options, pin, known, lookup, tenants: store, profiles, ...core }: Core): Provided[] => [
	pinOf.as(pin),
	knownTenantsOf.as(known),
	tenantStoreOf.as(store),
	tenantCacheOf.as(options.tenantCache),
	profilesOf.as(profiles),
	hostPlacesOf.as(lookup.hosts),
	tenantSecretsOf.as(core.secrets),
	verifyingSecretsOf.as([
		...new Set([
			context.secret,
			...(options.verifyWithAllSecrets ? allSecrets({ secretConfig: context.secretConfig }) : []),
		]),
	]),
	signedValuesOf.as(createSignedValues(core.secrets, core.secretVersions)),
];

/** The engine does not let a plugin override options, so these are replaced in its (already copied) options. */
const replaceOptions = (
	{ context: { options }, pin, sessionsSince }: Core,
	{ scopedStorage }: Layers,
	pinRequest: Parameters<typeof pinBeforeApplicationHook>[1],
): void => {
	if (scopedStorage) options.secondaryStorage = scopedStorage;
	if (sessionsSince) endCachedSessions(options, pin, sessionsSince);
	tagMailLinks(options, pin);
	pinBeforeApplicationHook(options, pinRequest);
};
