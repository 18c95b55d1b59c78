import type { BetterAuthDBSchema } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";

/**
 * Prefix of the derived column that makes a field (username, phoneNumber) unique per tenant where a compound index
 * cannot.
 */
export const DERIVED_PREFIX = "tenantUnique_";

type Reference = { field: string; model: string; target: string };
/** A field that is unique per tenant, or references such a field. Its derived column holds the tenant and the value. */
export type DerivedField = { field: string; isReference: boolean };
export type ScopedTable = {
	/** the table's key in the engine's schema */
	key: string;
	scope: "tenant" | "global" | "closed";
	/** fields whose unique index or foreign key is on a derived column */
	derived: DerivedField[];
	/** fields that reference rows of the same tenant */
	references: Reference[];
	/** fields that identify one row across all tenants */
	uniqueFields: Set<string>;
};

export type Tables = (model: string) => ScopedTable;

/** Tables without a tenant. The rate limiter counts before the tenant is known. */
const GLOBAL_TABLES = new Set(["rateLimit"]);
/** The table of tenants. Only this plugin's own store reads it, never the scoped adapter. */
const CLOSED_TABLES = new Set(["tenant"]);

export const isGlobalTable = (key: string): boolean => GLOBAL_TABLES.has(key) || CLOSED_TABLES.has(key);

/** Describes every table under all names that the engine and its plugins use for it. Throws for an unknown table. */
export const readTables = (schema: BetterAuthDBSchema): Tables => {
	const byName = new Map<string, ScopedTable>();
	const keyOf = new Map<string, string>();
	for (const [key, table] of Object.entries(schema)) {
		for (const name of [`${table.modelName}s`, `${key}s`, table.modelName, key]) keyOf.set(name, key);
	}
	// a key wins over another table's model name or plural
	for (const key of Object.keys(schema)) keyOf.set(key, key);

	const pointedAt = new Set(
		Object.values(schema).flatMap(({ fields }) =>
			Object.values(fields).flatMap(({ references }) => (references ? `${references.model}.${references.field}` : [])),
		),
	);
	const described = new Map<string, ScopedTable>();
	for (const [key, table] of Object.entries(schema)) {
		const references: Reference[] = [];
		const isPointedAt = (field: string) =>
			pointedAt.has(`${key}.${field}`) || pointedAt.has(`${table.modelName}.${field}`);
		const uniqueFields = new Set(["id"]);
		const derived: DerivedField[] = [];
		for (const [field, attributes] of Object.entries(table.fields)) {
			if (attributes.unique) uniqueFields.add(field);
			if (field.startsWith(DERIVED_PREFIX)) {
				const isReference = attributes.references !== undefined || isPointedAt(field);
				derived.push({ field: field.slice(DERIVED_PREFIX.length), isReference });
			}
			const target = attributes.references && keyOf.get(attributes.references.model);
			if (attributes.references && target && !isGlobalTable(target)) {
				references.push({ field, model: target, target: attributes.references.field });
			}
		}
		const scope = GLOBAL_TABLES.has(key) ? "global" : CLOSED_TABLES.has(key) ? "closed" : "tenant";
		described.set(key, { key, scope, derived, references, uniqueFields });
	}
	for (const [name, key] of keyOf) {
		const table = described.get(key);
		if (table) byName.set(name, table);
	}
	return (model) => {
		const table = byName.get(model);
		if (!table)
			throw new BetterAuthError(`tenantAuth: "${model}" is not a table of this schema, so it cannot be scoped`);
		return table;
	};
};
