import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { APIError, BetterAuthError } from "@better-auth/core/error";
import { keepSchemaCheck } from "../../engine/schema-check.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { noticeFailure } from "../pin/outage.ts";
import { rewritingErrors } from "../pin/rewritten-errors.ts";
import { readTag } from "../pin/tag.ts";
import type { TenantContext } from "../pin/tenant-context.ts";
import { closedByDatabase } from "./closed-by-database.ts";
import { createConditions, isOneOfNone, namesOneRow } from "./conditions.ts";
import { derivedValue } from "./derived-value.ts";
import { exactRows } from "./exact-rows.ts";
import type { RawAdapterSource } from "./raw-adapter.ts";
import { refusalOf } from "./refused-values.ts";
import type { ReservedIds } from "./reserved-ids.ts";
import { DERIVED_PREFIX, type ScopedTable, type Tables } from "./tables.ts";

type Row = Record<string, unknown>;
type Methods = Omit<DBTransactionAdapter, "transaction">;

type ScopeAdapterWith = {
	raw: RawAdapterSource;
	pin: TenantContext;
	tables: Tables;
	reservedIds: ReservedIds;
	/** throws in a tenant of `runWithTenant` that is not open */
	assertOpen: () => Promise<void> | undefined;
	/** wraps the methods for single tables, for example to encrypt columns; also inside transactions */
	decorate: (methods: ScopedMethods) => ScopedMethods;
};

/**
 * Scopes the engine's adapter to one tenant: it reads and writes only that tenant's rows, and a row never references a
 * row of another tenant. Each call reads the current tenant.
 */
export const scopeAdapter = (adapter: DBAdapter, { raw, decorate, ...scopeWith }: ScopeAdapterWith): DBAdapter => {
	// once, and not for each transaction
	const rules = createRules(scopeWith);
	const scope = (methods: Methods): ScopedMethods => translatingErrors(decorate(scopeMethods(methods, rules)));
	return keepSchemaCheck(adapter, {
		...adapter,
		...scope(adapter),
		// the engine passes the raw adapter to a transaction's callback
		transaction: async (run) => {
			// before the transaction, in which the result would not be cached
			await scopeWith.assertOpen();
			try {
				return await adapter.transaction((inside) => raw.inside(inside, () => run({ ...inside, ...scope(inside) })));
			} catch (error) {
				// PostgreSQL checks at the commit that the tenant is open
				throw closedByDatabase(error) ?? error;
			}
		},
	});
};

/**
 * Translates database errors into API errors, and records outages for the request. One wrapper for both, as it runs on
 * every query.
 */
const translatingErrors = (methods: ScopedMethods): ScopedMethods =>
	rewritingErrors(methods, async (error, name) => noticeFailure(await refusalOf(error, name)));

export type ScopedMethods = Omit<Methods, "id" | "createSchema" | "options">;

type ScopeWith = Omit<ScopeAdapterWith, "raw" | "decorate">;
type Rules = ReturnType<typeof createRules>;
type Scope = Rules & ReturnType<typeof createReferences>;

const createRules = (scopeWith: ScopeWith) => ({
	...scopeWith,
	open: createOpen(scopeWith),
	within: createConditions(scopeWith),
	...createValues(scopeWith),
});

const scopeMethods = (adapter: Methods, rules: Rules): ScopedMethods => {
	const scope: Scope = { ...rules, ...createReferences(adapter, rules.pin) };
	return {
		...scopeReads(adapter, scope),
		...scopeCreate(adapter, scope),
		...scopeUpdates(adapter, scope),
		...scopeDeletes(adapter, scope),
	};
};

const createOpen =
	({ tables }: ScopeWith) =>
	(model: string): ScopedTable => {
		const table = tables(model);
		if (table.scope === "closed") {
			throw new BetterAuthError(
				`tenantAuth: the table "${table.key}" is managed through auth.api only, for example auth.api.listTenants()`,
			);
		}
		return table;
	};

/** What a statement may write. */
const createValues = ({ pin, assertOpen }: ScopeWith) => {
	/** Removes `tenantId`, because a row never changes its tenant. Sets the derived unique columns. */
	const written = (table: ScopedTable, data: Row): Row | Promise<Row> => {
		if (table.scope === "global") return data;
		const { tenantId: _ignored, ...row } = data;
		const opening = assertOpen();
		return opening || table.derived.length > 0 ? withDerived(table, data, row, opening) : row;
	};

	const withDerived = async (
		table: ScopedTable,
		data: Row,
		row: Row,
		opening: Promise<void> | undefined,
	): Promise<Row> => {
		await opening;
		for (const derived of table.derived) {
			const value = data[derived.field];
			delete row[DERIVED_PREFIX + derived.field];
			if (value !== undefined)
				row[DERIVED_PREFIX + derived.field] = value === null ? null : await derivedValue(derived, pin.current(), value);
		}
		return row;
	};

	/** Also removes the id of a changed row, if a request sent it. See chosen-ids.ts for new rows. */
	const changed = async (table: ScopedTable, data: Row): Promise<Row> => {
		const row = await written(table, data);
		if (table.scope !== "global" && !pin.isServerCode()) delete row.id;
		return row;
	};

	return { written, changed };
};

const createReferences = (adapter: Methods, pin: TenantContext) => {
	/**
	 * Remembers that a row, and each row it references, belongs to the tenant. Saves later reference checks in this
	 * request.
	 */
	const note = <Found>(table: ScopedTable, row: Found): Found => {
		const seen = row as Row;
		const tenantId = pin.current();
		if (seen.id != null) pin.prove(tenantId, table.key, "id", seen.id);
		for (const { field, model, target } of table.references) {
			if (seen[field] != null) pin.prove(tenantId, model, target, seen[field]);
		}
		return row;
	};

	/**
	 * Joins are not scoped, so a row may only reference rows of its tenant. Needs no query for rows this request has
	 * seen.
	 */
	const assertReferences = async (table: ScopedTable, data: Row): Promise<void> => {
		for (const { field, model, target } of table.references) {
			const value = data[field];
			if (value == null || pin.isProven(pin.current(), model, target, value)) continue;
			const found = await adapter.findOne<Row>({
				model,
				where: [
					{ field: target, value: value as string },
					{ field: "tenantId", value: pin.current(), connector: "AND" },
				],
				select: [target],
			});
			if (!found) throw APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.REFERENCE_NOT_IN_TENANT);
			pin.prove(pin.current(), model, target, value);
		}
	};

	return { note, assertReferences };
};

type Reads = Pick<ScopedMethods, "findOne" | "findMany" | "count">;

const scopeReads = (adapter: Methods, { open, within, note }: Scope): Reads => {
	const exact = exactRows(adapter);
	return {
		findOne: async <T>(query: Parameters<Methods["findOne"]>[0]) => {
			const table = open(query.model);
			const where = await within(table, query.where);
			const row = await exact.findOne<T>({ ...query, where });
			return row && note(table, row);
		},
		findMany: async <T>(query: Parameters<Methods["findMany"]>[0]) => {
			const table = open(query.model);
			const where = await within(table, query.where);
			// "in ()" is invalid SQL; the engine sends it when it reads the users of an empty member list
			if (query.where?.some(isOneOfNone)) return [];
			const rows = await exact.findMany<T>({ ...query, where });
			// lookups by key return one or two rows; long lists are not worth remembering
			if (rows.length <= 2) for (const row of rows) note(table, row);
			return rows;
		},
		count: async (query) => adapter.count({ ...query, where: await within(open(query.model), query.where) }),
	};
};

const scopeCreate = (
	adapter: Methods,
	{ pin, reservedIds, open, written, note, assertReferences }: Scope,
): Pick<ScopedMethods, "create"> => ({
	create: async <T extends Row, R = T>(query: Parameters<Methods["create"]>[0]) => {
		const table = open(query.model);
		if (table.scope === "global") return adapter.create<T, R>(query as never);
		const data: Row = { ...(await written(table, query.data)), tenantId: pin.current() };
		if (table.key === "session") assertTokenNamesTenant(data.token, pin.current());
		await assertReferences(table, data);
		// the engine generates an id only if there is no such key
		if (data.id === undefined) delete data.id;
		if (query.forceAllowId && data.id) data.id = await reservedIds.idOf(table.key, pin.current(), data.id);
		return note(table, await adapter.create<T, R>({ ...query, data } as never));
	},
});

type Updates = Pick<ScopedMethods, "update" | "updateMany" | "incrementOne">;

const scopeUpdates = (adapter: Methods, { open, within, changed, assertReferences }: Scope): Updates => ({
	update: async <T>(query: Parameters<Methods["update"]>[0]) => {
		const table = open(query.model);
		const update = await changed(table, query.update);
		await assertReferences(table, update);
		let where = await within(table, query.where);
		if (table.scope === "tenant" && !namesOneRow(table, query.where)) {
			// MySQL has no RETURNING: the engine reads the row back by the first condition only, which may match another
			// tenant's row
			const row = await adapter.findOne<{ id: string }>({ model: query.model, where, select: ["id"] });
			if (!row) return null;
			where = await within(table, [{ field: "id", value: row.id }]);
		}
		// an update without columns is invalid SQL; it happens if a caller sends only unknown fields
		if (isEmpty(update)) return adapter.findOne<T>({ model: query.model, where });
		return adapter.update<T>({ ...query, where, update });
	},
	updateMany: async (query) => {
		const table = open(query.model);
		const update = await changed(table, query.update);
		await assertReferences(table, update);
		return adapter.updateMany({ ...query, where: await within(table, query.where), update });
	},
	incrementOne: async <T>(query: Parameters<Methods["incrementOne"]>[0]) => {
		const table = open(query.model);
		const set = query.set && (await changed(table, query.set));
		if (set) await assertReferences(table, set);
		return adapter.incrementOne<T>({ ...query, where: await within(table, query.where), ...(set ? { set } : {}) });
	},
});

type Deletes = Pick<ScopedMethods, "delete" | "deleteMany" | "consumeOne">;

const scopeDeletes = (adapter: Methods, { open, within }: Scope): Deletes => ({
	delete: async (query) => adapter.delete({ ...query, where: await within(open(query.model), query.where) }),
	deleteMany: async (query) => adapter.deleteMany({ ...query, where: await within(open(query.model), query.where) }),
	consumeOne: async <T>(query: Parameters<Methods["consumeOne"]>[0]) =>
		adapter.consumeOne<T>({ ...query, where: await within(open(query.model), query.where) }),
});

const isEmpty = (row: Row): boolean => Object.values(row).every((value) => value === undefined);

/** Throws if a version of the engine does not use our default to create tokens. No tenant would find such a session. */
export const assertTokenNamesTenant = (token: unknown, tenantId: string): void => {
	if (typeof token !== "string" || readTag(token)?.tenantId !== tenantId) {
		throw new BetterAuthError(
			"tenantAuth: a session token does not name its tenant. This version of Better Auth is not supported.",
		);
	}
};
