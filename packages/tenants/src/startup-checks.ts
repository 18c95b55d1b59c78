import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { isGloballyUnique } from "./compose/scope-plugin.ts";
import { findSharedState } from "./compose/shared-state.ts";
import { checkEngine, checkVersions } from "./engine/check-versions.ts";
import { checkPasskeyOrigins } from "./passkey/check-origins.ts";
import { DERIVED_PREFIX, isGlobalTable } from "./scope/tables.ts";

type CheckWith = { pluginId: string; requireTransactions: boolean };

/** Refuses to start with anything that would leave a way around the scope. Each complaint names its mend. */
export const assertSafeToStart = (context: AuthContext, { pluginId, requireTransactions }: CheckWith): void => {
	const complaints = [
		...checkEngine(context.version),
		...checkVersions(context),
		...checkOrder(context.options.plugins ?? [], pluginId),
		...checkTables(context),
		...checkSettings(context),
		...findSharedState(context.options.plugins ?? []),
		...checkPasskeyOrigins(context),
		...(requireTransactions ? checkTransactions(context) : []),
	];
	if (complaints.length > 0) throw new BetterAuthError(`tenantAuth refuses to start:\n - ${complaints.join("\n - ")}`);
};

const checkOrder = (plugins: readonly BetterAuthPlugin[], pluginId: string): string[] =>
	plugins[0]?.id === pluginId
		? []
		: [
				"tenantAuth() must be the first plugin, so that every other one finds the request pinned. Move it to the front of `plugins`.",
			];

/** Deny by default: a table or unique value that this plugin did not scope is shared by all tenants. */
const checkTables = (context: AuthContext): string[] => {
	const complaints: string[] = [];
	for (const [key, table] of Object.entries(context.tables)) {
		if (isGlobalTable(key)) continue;
		if (!table.fields.tenantId) {
			complaints.push(
				`the table "${key}" has no tenant. Compose the plugin it belongs to: plugins: withTenants(options, [thatPlugin()]).`,
			);
			continue;
		}
		for (const [name, field] of Object.entries(table.fields)) {
			if (!field.unique || name.startsWith(DERIVED_PREFIX) || isGloballyUnique(`${key}.${name}`)) continue;
			complaints.push(
				`"${key}.${name}" is unique among all tenants, so one tenant learns what another holds. Compose its plugin with withTenants(), or drop \`unique\` where it is your own additional field.`,
			);
		}
		for (const index of table.indexes ?? []) {
			if (
				!index.unique ||
				index.fields.includes("tenantId") ||
				index.fields.some((name) => isGloballyUnique(`${key}.${name}`))
			)
				continue;
			complaints.push(
				`the unique index (${index.fields.join(", ")}) on "${key}" spans all tenants. Compose its plugin with withTenants(), or add tenantId to it.`,
			);
		}
	}
	return complaints;
};

const checkSettings = ({ options }: AuthContext): string[] => {
	const complaints: string[] = [];
	if (options.user?.fields?.email)
		complaints.push(
			"`user.fields.email` renames the e-mail column, which tenantAuth() has to redeclare. Keep the column's name `email`.",
		);
	return complaints;
};

/** Adapters without transactions run the callback on the bare adapter: nothing rolls back. */
const checkTransactions = ({ adapter, options }: AuthContext): string[] => {
	if (!options.database) return []; // the engine's in-memory database, for trying things out
	if (adapter.options?.adapterConfig.transaction) return [];
	return [
		`the database adapter "${adapter.id}" runs without transactions: a crash could leave a user without an account. Turn them on (kysely: database: { db, type, transaction: true }; drizzle and prisma: transaction: true), or set database.requireTransactions of tenantAuth to false.`,
	];
};
