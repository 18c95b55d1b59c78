import type { Where } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { TENANT_ADMIN_ERROR_CODES } from "../../errors/tenant-admin-error-codes.ts";
import type { UserGuard, UserGuardParts } from "../../scope/compose/companion.ts";
import type { ScopedMethods } from "../../scope/data/adapter.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { DEFAULT_ROLE } from "../users/roles.ts";

type Row = Record<string, unknown>;

type Guards = {
	isInTenant: (model: string) => boolean;
	assertRole: (role: unknown, about: { isNew: boolean }) => void;
	/** runs a write in a transaction in which an owner remains */
	keepingOwner: <Result>(
		query: { model: string; where: Where[] },
		write: (methods: ScopedMethods) => Promise<Result>,
	) => Promise<Result>;
};

/** The engine's default limit is 100 rows. */
const ALL = 2_147_483_647;

/**
 * Guards the users of tenants where every change passes: the adapter. So it covers this package's endpoints, those of the
 * engine, of SCIM and of plugins that are added later, and server code.
 *
 * - The last owner who is not banned cannot be deleted, demoted or banned.
 * - A request cannot set a role. Only server code can, and the endpoints of this package, which run as server code.
 * - A user has one role. The engine would store several, separated by commas.
 *
 * Costs nothing for other changes. A change of a role, a ban or a deletion runs in a transaction, with three more queries.
 */
export const guardOwners = (parts: UserGuardParts): UserGuard => {
	const { pin, isUsers, inTransaction, transaction } = parts;
	const assertOwnerRemains = createOwnerCheck(parts);
	const assertRole = createRoleCheck(parts);
	const isInTenant = (model: string): boolean => pin.current() !== PLATFORM && isUsers(model);

	const wrap = (methods: ScopedMethods): ScopedMethods => {
		const idsOf = async (model: string, where: Where[]): Promise<string[]> => {
			const [first, ...others] = where;
			if (first?.field === "id" && (first.operator ?? "eq") === "eq" && others.length === 0)
				return [String(first.value)];
			return (await methods.findMany<{ id: string }>({ model, where, limit: ALL })).map(({ id }) => id);
		};
		const keepingOwner: Guards["keepingOwner"] = async (query, write) => {
			if (!inTransaction()) return transaction((inside) => write(inside));
			await assertOwnerRemains(pin.current(), await idsOf(query.model, query.where));
			return write(methods);
		};
		return guardedMethods(methods, { isInTenant, assertRole, keepingOwner });
	};

	return {
		wrap,
		assertMayLeave: async (tenantId, userIds) => {
			if (tenantId !== PLATFORM) await assertOwnerRemains(tenantId, userIds);
		},
	};
};

const guardedMethods = (methods: ScopedMethods, { isInTenant, assertRole, keepingOwner }: Guards): ScopedMethods => ({
	...methods,
	create: async (query) => {
		if (isInTenant(query.model)) assertRole((query.data as Row).role, { isNew: true });
		return methods.create(query);
	},
	update: async <T>(query: Parameters<ScopedMethods["update"]>[0]) => {
		if (!isInTenant(query.model)) return methods.update<T>(query);
		assertRole(query.update.role, { isNew: false });
		if (!endsOwner(query.update)) return methods.update<T>(query);
		return keepingOwner(query, (inside) => inside.update<T>(query));
	},
	updateMany: async (query) => {
		if (!isInTenant(query.model)) return methods.updateMany(query);
		assertRole(query.update.role, { isNew: false });
		if (!endsOwner(query.update)) return methods.updateMany(query);
		return keepingOwner(query, (inside) => inside.updateMany(query));
	},
	incrementOne: async <T>(query: Parameters<ScopedMethods["incrementOne"]>[0]) => {
		if (!isInTenant(query.model) || !query.set) return methods.incrementOne<T>(query);
		assertRole(query.set.role, { isNew: false });
		if (!endsOwner(query.set)) return methods.incrementOne<T>(query);
		return keepingOwner(query, (inside) => inside.incrementOne<T>(query));
	},
	delete: async (query) =>
		isInTenant(query.model) ? keepingOwner(query, (inside) => inside.delete(query)) : methods.delete(query),
	deleteMany: async (query) =>
		isInTenant(query.model) ? keepingOwner(query, (inside) => inside.deleteMany(query)) : methods.deleteMany(query),
	consumeOne: async <T>(query: Parameters<ScopedMethods["consumeOne"]>[0]) =>
		isInTenant(query.model)
			? keepingOwner(query, (inside) => inside.consumeOne<T>(query))
			: methods.consumeOne<T>(query),
});

/** Creates the check that an owner remains in a tenant without these users. */
const createOwnerCheck = ({ raw, holdOpen }: Pick<UserGuardParts, "raw" | "holdOpen">) => {
	/**
	 * Counts owners who are not banned, and locks them until the transaction ends. An UPDATE reads the newest rows. A SELECT
	 * could read MySQL's snapshot from the start of the transaction.
	 */
	const lockOwners = (tenantId: string, without: string[]): Promise<number> =>
		raw.updateMany({
			model: "user",
			where: [
				{ field: "banned", value: false, connector: "OR" },
				{ field: "banned", value: null, connector: "OR" },
				{ field: "role", value: "owner", connector: "AND" },
				...without.map((id): Where => ({ field: "id", value: id, operator: "ne", connector: "AND" })),
				{ field: "tenantId", value: tenantId, connector: "AND" },
			],
			update: { role: "owner" },
		});

	return async (tenantId: string, without: string[]): Promise<void> => {
		if (without.length === 0) return;
		// first, so that two changes wait for each other here and do not lock each other's owners
		await holdOpen(tenantId);
		// a tenant that never had an owner has none to keep
		if ((await lockOwners(tenantId, [])) === 0) return;
		if ((await lockOwners(tenantId, without)) === 0)
			throw APIError.from("CONFLICT", TENANT_ADMIN_ERROR_CODES.LAST_OWNER);
	};
};

const createRoleCheck =
	({ pin }: Pick<UserGuardParts, "pin">) =>
	(role: unknown, { isNew }: { isNew: boolean }): void => {
		if (role === undefined || (isNew && (role === null || role === DEFAULT_ROLE))) return;
		if (!pin.isServerCode()) throw APIError.from("FORBIDDEN", TENANT_ADMIN_ERROR_CODES.ROLE_NOT_ASSIGNABLE);
		if (typeof role !== "string" || role === "" || role.includes(","))
			throw APIError.from("BAD_REQUEST", TENANT_ADMIN_ERROR_CODES.INVALID_TENANT_ROLE);
	};

/** Whether a change can take the last owner away. */
const endsOwner = (change: Row): boolean =>
	(change.role !== undefined && change.role !== "owner") || (change.banned !== undefined && change.banned !== false);
