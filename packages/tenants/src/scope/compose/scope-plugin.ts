import type { BetterAuthPlugin } from "@better-auth/core";
import type { BetterAuthPluginDBSchema, DBFieldAttribute, DBTableIndex } from "@better-auth/core/db";
import { type CurrentTenant, tenantColumn } from "../data/schema.ts";
import { DERIVED_PREFIX, isGlobalTable } from "../data/tables.ts";
import { sayTenantInTokens } from "./tenant-tokens.ts";

/** Core tables get their tenant column from this plugin's own schema. */
const CORE_TABLES = new Set(["user", "session", "account", "verification"]);

/**
 * Random values that identify one row across all tenants. They stay globally unique: nobody can choose one (for Stripe,
 * see below), and some are the target of foreign keys, which need a unique column.
 */
const RANDOM_UNIQUES = new Set([
	"session.token",
	"oauthAccessToken.token",
	"oauthRefreshToken.token",
	"oauthClient.clientId",
	"user.stripeCustomerId",
	"organization.stripeCustomerId",
	// not random: only operators set it, after they checked who owns the domain
	"tenantDomain.domain",
]);

/**
 * Ids of objects in another system. The Stripe plugin finds a customer by email, so users with the same address in two
 * tenants would share one customer with its invoices and cards. As the id is unique, only the first user gets it. The
 * plugin also lets users set the id themselves, so they could read the invoices of another tenant's customer.
 */
const MADE_UNIQUE = new Set(["user.stripeCustomerId", "organization.stripeCustomerId"]);

/**
 * An SSO provider belongs to its tenant and stays when the user who registered it is deleted (see
 * sso/manage-providers.ts).
 */
const MADE_OPTIONAL = new Set(["ssoProvider.userId"]);

/**
 * Scopes the tables of a plugin: each table gets a tenant column, and unique fields become unique per tenant. Returns a
 * new object, because some plugins keep their schema in a constant that other instances of Better Auth share.
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

/** Contains "<tenant>:<value>" of a field. The adapter writes it. */
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
		// a compound unique index rejects nullable columns, and a foreign key must reference a single unique column
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

/** Columns with values that users choose and that foreign keys reference. These keys must contain the tenant too. */
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
