import type { AuthContext } from "@better-auth/core";
import { newestForCallers } from "../engine/newest-for-callers.ts";
import { enforceUniques } from "../features/database/memory-uniques.ts";
import { followWrites } from "../features/session-cache/follow-writes.ts";
import { boundFields } from "../load/bounds/bounded-adapter.ts";
import { readFieldBounds } from "../load/bounds/field-bounds.ts";
import { findSharedCount } from "../load/limits/shared-count.ts";
import { createRawAdapter } from "../scope/data/raw-adapter.ts";
import { readTables } from "../scope/data/tables.ts";
import type { TenantContext } from "../scope/pin/tenant-context.ts";
import { hasLifecycle } from "../scope/pin/tenant-state.ts";
import { createSecretVersions } from "../scope/secrets/secret-versions.ts";
import { createTenantSecrets } from "../scope/secrets/secrets.ts";
import { createKnownTenants } from "../scope/tenants/known-tenants.ts";
import { createTenantLookup } from "../scope/tenants/tenant-lookup.ts";
import { createTenantProfiles } from "../scope/tenants/tenant-profiles.ts";
import type { ResolvedOptions } from "./options.ts";

export type Core = ReturnType<typeof startCore>;

/** What layers and features are built on: the engine as it is without tenants, and what is known of tenants. */
export const startCore = (context: AuthContext, options: ResolvedOptions, pin: TenantContext) => {
	const { tables, secret, secretConfig } = context;
	const tablesByName = readTables(tables);
	const fieldBounds = readFieldBounds(tables, tablesByName, options.sizes.fields);
	const tableOf = (model: string): string => tablesByName(model).key;
	const own = options.sessionCache
		? followWrites(context.adapter, { cache: options.sessionCache, tableOf })
		: context.adapter;
	const engineAdapter = boundFields(enforceUniques(own, tables, tablesByName), fieldBounds);
	const raw = createRawAdapter(engineAdapter);
	const { adapter, inTransaction } = raw;
	const cache = options.tenantCache;
	const known = createKnownTenants(adapter, { ...cache, inTransaction, lifecycle: hasLifecycle(tables) });
	const { sessionsSince } = known;
	const lookup = createTenantLookup({ adapter, options: context.options, cache, rules: options.hosts });
	const { tenants, profiles } = createTenantProfiles({
		tenants: lookup.tenants,
		cache,
		inTransaction,
		options: options.profile,
	});
	const limitSecrets = options.verifyWithAllSecrets ? (all: typeof secretConfig) => all : newestForCallers;
	const secrets = createTenantSecrets({ secret, secretConfig }, sessionsSince, limitSecrets);
	return {
		context,
		options,
		pin,
		tables,
		tablesByName,
		/** the engine's own name of a table */
		tableOf,
		fieldBounds,
		engineAdapter,
		raw,
		adapter,
		/** the engine's own storage, unscoped */
		storage: context.options.secondaryStorage,
		/** where processes count together */
		sharedCount: findSharedCount(options.counters, context.options.secondaryStorage),
		known,
		sessionsSince,
		lookup,
		tenants,
		profiles,
		limitSecrets,
		secrets,
		secretVersions: options.verifyWithAllSecrets
			? createSecretVersions({ secret, secretConfig }, secrets, sessionsSince)
			: null,
	};
};
