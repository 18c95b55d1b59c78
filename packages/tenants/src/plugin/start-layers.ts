import type { SecondaryStorage } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { renameStored } from "../engine/rate-limit-storage.ts";
import { readUserTables, userLinks } from "../features/move/user-tables.ts";
import { cacheSessions } from "../features/session-cache/cached-sessions.ts";
import { guardProofs } from "../features/unproven/guard-proofs.ts";
import { boundStorage } from "../load/bounds/bounded-storage.ts";
import { createLimits } from "../load/limits/limits.ts";
import { createSessionsPerUser } from "../load/limits/sessions-per-user.ts";
import { companionsOf, createUserGuard, guardStorage } from "../scope/compose/companion.ts";
import { type ScopedMethods, scopeAdapter } from "../scope/data/adapter.ts";
import { readAllSessions } from "../scope/data/all-sessions.ts";
import { createApiKeyGuard } from "../scope/data/api-key-guard.ts";
import { createReservedIds } from "../scope/data/reserved-ids.ts";
import { guardSigningKeys } from "../scope/data/signing-keys.ts";
import { scopeCounters, scopeStorage } from "../scope/data/storage.ts";
import { noticingFailures } from "../scope/pin/outage.ts";
import { endCopies } from "../scope/sessions/ended-copies.ts";
import { hideEndedSessions } from "../scope/sessions/ended-sessions.ts";
import { refuseLostUsers } from "../scope/sessions/lost-users.ts";
import { createPlatformAccess } from "../scope/sessions/platform-access.ts";
import { requireLiveStorage } from "../scope/sessions/require-live-storage.ts";
import { areInDatabase, sessionsByDatabase } from "../scope/sessions/sessions-by-database.ts";
import { keepListsWhole } from "../scope/sessions/whole-lists.ts";
import { createExplicitCheck } from "../scope/tenants/known-tenants.ts";
import type { Core } from "./start-core.ts";
import { adapterLayers, engineStorageLayers, storageLayers, wrapIn } from "./steps.ts";

type Given = {
	/** encrypts the settings of SSO providers */
	sealProviders: (methods: ScopedMethods) => ScopedMethods;
	/** the name of a rate counter */
	counterKey: (key: string) => string;
};

/** Stands for a layer that an instance does not need. */
const same = <Wrapped>(inner: Wrapped): Wrapped => inner;

/** What Better Auth reads and writes through: its adapter and its storage, with a layer for each rule. */
export const startLayers = (core: Core, { sealProviders, counterKey }: Given) => {
	const { context, options, pin, tableOf, raw } = core;
	const assertOpen = createExplicitCheck(core.known);
	const isUsers = (model: string): boolean => tableOf(model) === "user";
	const isSessions = (model: string): boolean => tableOf(model) === "session";
	const inDatabase = areInDatabase(context.options.session);
	const { companions, apiKeys, userGuard, userTables } = startGuards(core, isUsers, () => scopedAdapter);

	const ownStorage =
		core.storage &&
		wrapIn(
			storageLayers({
				scope: (inner) => scopeStorage(inner, pin, assertOpen),
				boundValues: (inner) => boundStorage(inner, core.fieldBounds, options.sizes.storedValue),
				refuseLostUsers,
				hideEnded: (inner) => (core.sessionsSince ? hideEndedSessions(inner, pin, core.sessionsSince) : inner),
				guardCompanions: (inner) => guardStorage(companions, inner, { pin, adapter: () => scopedAdapter }),
				guardApiKeys: (inner) => apiKeys.guardStorage(inner, () => scopedAdapter),
			}),
			core.storage,
		);
	const ownCount = core.sharedCount && scopeCounters(core.sharedCount, pin, assertOpen);
	const limits = startLimits(core, ownCount);
	const platformAccess = createPlatformAccess(options.platform, pin);
	const scopedAdapter: DBAdapter = scopeAdapter(core.engineAdapter, {
		raw,
		pin,
		tables: core.tablesByName,
		reservedIds: createReservedIds(context.options.advanced?.database?.generateId),
		assertOpen,
		decorate: (methods) =>
			wrapIn(
				adapterLayers({
					cacheSessions: options.sessionCache
						? cacheSessions({
								cache: options.sessionCache,
								pin,
								tables: core.tables,
								tableOf,
								inTransaction: raw.inTransaction,
								assertOpen,
							})
						: same,
					sealProviders,
					readAllSessions: readAllSessions(isSessions),
					guardSigningKeys: guardSigningKeys(pin, (model) => tableOf(model) === "jwks"),
					endCopies: ownStorage && inDatabase ? endCopies(noticingFailures(ownStorage), isSessions) : same,
					guardUsers: userGuard.wrap,
					guardApiKeys: apiKeys.wrap,
					closePlatform: platformAccess.guardUsers(isUsers),
					requireCopies: ownStorage ? requireLiveStorage(noticingFailures(ownStorage), isUsers) : same,
					endUnproven: options.keepUnprovenPasswords
						? same
						: guardProofs({
								pin,
								isUsers,
								isAccounts: (model) => tableOf(model) === "account",
								adapter: () => scopedAdapter,
							}),
					bound: limits.guardRows,
					renameCounters: renameStored((model) => tableOf(model) === "rateLimit", counterKey),
				}),
				methods,
			),
	});
	const sessionsPerUser = createSessionsPerUser({
		max: options.sessionsPerUser,
		pin,
		context,
		adapter: () => scopedAdapter,
	});
	const listedStorage = ownStorage && wrapForEngine(core, ownStorage, { scopedAdapter, limits });
	return {
		scopedAdapter,
		scopedStorage: listedStorage && sessionsPerUser.guardStorage(listedStorage),
		apiKeys,
		userGuard,
		userTables,
		limits,
		ownCount,
		platformAccess,
		sessionsPerUser,
	};
};

/** What companions and API keys ask of each user that is read or written. */
const startGuards = (core: Core, isUsers: (model: string) => boolean, scopedAdapter: () => DBAdapter) => {
	const { context, pin, tables, tableOf, raw } = core;
	const companions = companionsOf(context.options.plugins);
	const userTables = readUserTables(tables, core.tablesByName);
	return {
		companions,
		userTables,
		apiKeys: createApiKeyGuard({ pin, keyOf: tableOf, hasOrganizations: "organization" in tables }),
		userGuard: createUserGuard(companions, {
			pin,
			raw: core.adapter,
			inTransaction: raw.inTransaction,
			isUsers,
			transaction: (run) => scopedAdapter().transaction(run),
			holdOpen: core.tenants.holdOpen,
			linksOf: userLinks(userTables, tableOf),
			hasTable: (key) => key in tables,
		}),
	};
};

/** What tenants and strangers may use up. */
const startLimits = ({ options, sharedCount, tableOf }: Core, scoped: Core["sharedCount"]) =>
	createLimits({
		limits: options.limits,
		scoped,
		shared: sharedCount,
		isFactors: (model) => tableOf(model) === "twoFactor",
		isShortLived: (model) => ["verification", "deviceCode"].includes(tableOf(model)),
	});

/** The storage as the engine itself uses it: with lists of sessions that are complete, and counted. */
const wrapForEngine = (
	{ context, pin, storage }: Core,
	ownStorage: SecondaryStorage,
	{ scopedAdapter, limits }: { scopedAdapter: DBAdapter; limits: ReturnType<typeof createLimits> },
): SecondaryStorage => {
	const inDatabase = areInDatabase(context.options.session);
	const locksLists = typeof storage?.increment === "function" && !inDatabase;
	return wrapIn(
		engineStorageLayers({
			keepListsWhole: (inner) => (locksLists ? keepListsWhole(inner, pin) : inner),
			decideByDatabase: (inner) => (inDatabase ? sessionsByDatabase(inner, scopedAdapter, pin) : inner),
			noticeFailures: noticingFailures,
			charge: limits.guardStorage,
		}),
		ownStorage,
	);
};
