import type { BetterAuthPlugin } from "@better-auth/core";
import type { BetterAuthPluginDBSchema, DBFieldAttribute, DBTableIndex } from "@better-auth/core/db";
import { type CurrentTenant, tenantColumn } from "../schema.ts";
import { DERIVED_PREFIX, isGlobalTable } from "../scope/tables.ts";
import { sayTenantInTokens } from "./tenant-tokens.ts";

/** Tables of the engine's core get their column from this plugin's own schema. */
const CORE_TABLES = new Set(["user", "session", "account", "verification"]);

/**
 * Random values that name one row among all tenants'. They stay globally unique: nobody can choose one (see below for
 * Stripe's), and some are the target of foreign keys, which need a unique column.
 */
const RANDOM_UNIQUES = new Set([
	"session.token",
	"oauthAccessToken.token",
	"oauthRefreshToken.token",
	"oauthClient.clientId",
	"user.stripeCustomerId",
	"organization.stripeCustomerId",
]);

/**
 * Fields that name one thing outside of this system. The plugin finds a Stripe customer by e-mail, so people with one
 * address in two tenants would share one, with its invoices and cards; the first one keeps it. It also takes them from
 * whoever updates his user, so that somebody who knows a customer of another tenant's would get into his invoices.
 */
const MADE_UNIQUE = new Set(["user.stripeCustomerId", "organization.stripeCustomerId"]);

/** A tenant's identity provider belongs to the tenant and outlives the user who registered it (see sso/manage-providers.ts). */
const MADE_OPTIONAL = new Set(["ssoProvider.userId"]);

/**
 * The same plugin with its tables scoped: each gets a tenant column, and what was unique becomes unique in a tenant. A
 * new object; some plugins keep their schema in a module-level constant that other engines share.
 */
export const scopePlugin = <Plugin extends BetterAuthPlugin>(
	plugin: Plugin,
	current: CurrentTenant,
	foreignKeyTargets: Set<string>,
): Plugin => {
	if (!plugin.schema) return plugin;
	const schema: BetterAuthPluginDBSchema = {};
	for (const [model, table] of Object.entries(plugin.schema)) {
		schema[model] = isGlobalTable(model) ? table : scopeTable(model, table, current, foreignKeyTargets);
	}
	return sayTenantInTokens({ ...plugin, schema }, current);
};

type TableSchema = BetterAuthPluginDBSchema[string];

/** Beside a field, "<tenant>:<value>", kept by the adapter. */
const DERIVED_COLUMN = { type: "string" as const, required: false, input: false, returned: false };

const scopeTable = (model: string, table: TableSchema, current: CurrentTenant, targets: Set<string>): TableSchema => {
	const fields: Record<string, DBFieldAttribute> = {};
	const indexes: DBTableIndex[] = [];
	for (const [name, given] of Object.entries(table.fields)) {
		const field = MADE_OPTIONAL.has(`${model}.${name}`) ? { ...given, required: false } : given;
		const { references, ...plain } = field;
		if (references && targets.has(`${references.model}.${references.field}`)) {
			fields[name] = { ...plain, index: true };
			const derived = { ...references, field: DERIVED_PREFIX + references.field };
			fields[DERIVED_PREFIX + name] = { ...DERIVED_COLUMN, index: true, references: derived };
			continue;
		}
		if (MADE_UNIQUE.has(`${model}.${name}`)) fields[name] = { ...field, unique: true, input: false };
		if (!field.unique || isGloballyUnique(`${model}.${name}`)) {
			fields[name] ??= field;
			continue;
		}
		fields[name] = { ...field, unique: false, index: true };
		// a compound unique index refuses nullable columns, and a foreign key needs one unique column to point at
		if (field.required === false || targets.has(`${model}.${name}`)) {
			fields[DERIVED_PREFIX + name] = { ...DERIVED_COLUMN, unique: true };
		} else {
			indexes.push({ fields: ["tenantId", name], unique: true });
		}
	}
	for (const index of table.indexes ?? []) {
		const stays =
			!index.unique ||
			index.fields.includes("tenantId") ||
			index.fields.some((name) => isGloballyUnique(`${model}.${name}`));
		indexes.push(stays ? index : { fields: ["tenantId", ...index.fields], unique: true });
	}
	if (!CORE_TABLES.has(model))
		fields.tenantId = tenantColumn(current, { index: !indexes.some(({ fields: [first] }) => first === "tenantId") });
	return { ...table, fields, ...(indexes.length > 0 ? { indexes } : {}) };
};

export const isGloballyUnique = (column: string): boolean => RANDOM_UNIQUES.has(column);

/** Columns that people choose and foreign keys of these plugins point at: the keys have to say the tenant too. */
export const findForeignKeyTargets = (plugins: readonly BetterAuthPlugin[]): Set<string> => {
	const targets = new Set<string>();
	for (const plugin of plugins) {
		for (const table of Object.values(plugin.schema ?? {})) {
			for (const { references } of Object.values(table.fields) as DBFieldAttribute[]) {
				const target = references && references.field !== "id" ? `${references.model}.${references.field}` : null;
				if (target && !isGloballyUnique(target)) targets.add(target);
			}
		}
	}
	return targets;
};
