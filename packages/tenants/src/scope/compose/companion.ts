import type { BetterAuthPlugin, GenericEndpointContext } from "@better-auth/core";
import type { SecondaryStorage } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import type { ManagementAction } from "../../endpoints/action.ts";
import { defineService } from "../../engine/service.ts";
import type { ScopedMethods } from "../data/adapter.ts";
import type { RawAdapter } from "../data/raw-adapter.ts";
import type { TenantContext } from "../pin/tenant-context.ts";

/** A session that none of the options of `management` allows to manage a tenant. */
export type CompanionAttempt = {
	action: ManagementAction;
	tenantId: string | null;
	session: { session: Record<string, unknown>; user: Record<string, unknown> } | null;
};

export type UserGuardParts = {
	pin: TenantContext;
	/** the engine's own adapter, unscoped; inside a transaction it uses the transaction */
	raw: RawAdapter;
	inTransaction: () => boolean;
	isUsers: (model: string) => boolean;
	/** runs in a transaction of the scoped adapter */
	transaction: DBAdapter["transaction"];
	/** locks the tenant's row until the transaction ends */
	holdOpen: (tenantId: string) => Promise<boolean>;
	/** the key of a table, and its fields that name a user */
	linksOf: (model: string) => { key: string; fields: string[] };
	/** whether the schema has a table with this key */
	hasTable: (key: string) => boolean;
};

export type StorageGuardParts = {
	pin: TenantContext;
	/** the scoped adapter, which is created later */
	adapter: () => DBAdapter;
};

export type UserGuard = {
	/** wraps the scoped adapter, also inside transactions */
	wrap: (methods: ScopedMethods) => ScopedMethods;
	/** Throws if users must not leave their tenant. Called in the transaction of a move. */
	assertMayLeave: (tenantId: string, userIds: string[]) => Promise<void>;
	/** Whether the request acts as a user of its tenant whose rights can end while it runs. */
	hasActors?: () => Promise<boolean>;
	/** Locks the users as whom the request acts until the transaction ends. Throws if their rights ended since it saw them. */
	holdActors?: () => Promise<void>;
};

/** How another plugin of this package takes part in the core. It is read when Better Auth starts, so its order does not matter. */
export type Companion = {
	admits?: (ctx: GenericEndpointContext, attempt: CompanionAttempt) => Promise<boolean>;
	guardUsers?: (parts: UserGuardParts) => UserGuard;
	/** wraps the scoped secondary storage */
	guardStorage?: (storage: SecondaryStorage, parts: StorageGuardParts) => SecondaryStorage;
};

const COMPANION = Symbol.for("better-auth-tenants.companion");

/** Makes a plugin a companion. `withTenants` copies plugins, with this property. */
export const asCompanion = <Plugin extends BetterAuthPlugin>(plugin: Plugin, companion: Companion): Plugin => ({
	...plugin,
	[COMPANION]: companion,
});

/** The companions among the plugins of an instance. */
export const companionsOf = (plugins: readonly BetterAuthPlugin[] | undefined): Companion[] =>
	(plugins ?? []).flatMap((plugin) => (COMPANION in plugin ? [plugin[COMPANION] as Companion] : []));

/** All guards of users as one. Without companions, it changes nothing. */
export const createUserGuard = (companions: Companion[], parts: UserGuardParts): Required<UserGuard> => {
	const guards = companions.flatMap(({ guardUsers }) => (guardUsers ? [guardUsers(parts)] : []));
	return {
		wrap: (methods) => guards.reduce((wrapped, { wrap }) => wrap(wrapped), methods),
		assertMayLeave: async (tenantId, userIds) => {
			for (const { assertMayLeave } of guards) await assertMayLeave(tenantId, userIds);
		},
		hasActors: async () => {
			for (const { hasActors } of guards) if (await hasActors?.()) return true;
			return false;
		},
		holdActors: async () => {
			for (const { holdActors } of guards) await holdActors?.();
		},
	};
};

/** The storage with the guards of all companions. Two companions may need the same one. */
export const guardStorage = (
	companions: Companion[],
	storage: SecondaryStorage,
	parts: StorageGuardParts,
): SecondaryStorage => {
	const guards = new Set(companions.flatMap((companion) => companion.guardStorage ?? []));
	return [...guards].reduce((guarded, guard) => guard(guarded, parts), storage);
};

/** The users as whom a request acts, whose rights can end while it runs. */
export const userGuardOf = defineService<Pick<Required<UserGuard>, "hasActors" | "holdActors">>("userGuard");
