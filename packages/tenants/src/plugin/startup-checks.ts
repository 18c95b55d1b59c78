import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { checkEngine, checkVersions } from "../engine/check-versions.ts";
import { checkScimTables } from "../engine/scim-tables.ts";
import { checkCallbackHost } from "../features/oauth/check-callback-host.ts";
import { checkPasskeyOrigins } from "../features/passkey/check-origins.ts";
import type { HostRules } from "../resolve/host-rules.ts";
import { isGloballyUnique } from "../scope/compose/scope-plugin.ts";
import { findSharedState } from "../scope/compose/shared-state.ts";
import { DERIVED_PREFIX, isGlobalTable } from "../scope/data/tables.ts";
import { checkHosts } from "./host-checks.ts";
import { checkLeakedSecret } from "./secret-checks.ts";
import { checkSessionCache, checkStorage } from "./storage-checks.ts";

type CheckWith = {
	pluginId: string;
	requireTransactions: boolean;
	hosts: HostRules | undefined;
	callbackHost: string | null;
	verifyWithAllSecrets: boolean;
	hasSessionCache: boolean;
};

/** Throws if the configuration cannot isolate tenants. Every error says how to fix it. */
export const assertSafeToStart = (context: AuthContext, given: CheckWith): void => {
	const { pluginId, requireTransactions, hosts, callbackHost, verifyWithAllSecrets, hasSessionCache } = given;
	const complaints = [
		...checkEngine(context.version),
		...checkVersions(context),
		...checkOrder(context.options.plugins ?? [], pluginId),
		...checkTables(context),
		...checkScimTables(context),
		...checkSettings(context),
		...checkStorage(context),
		...(hasSessionCache ? checkSessionCache(context) : []),
		...findSharedState(context.options.plugins ?? []),
		...checkPasskeyOrigins(context),
		...checkHosts(context, hosts),
		...checkCallbackHost(context, hosts, callbackHost),
		...checkLeakedSecret(context, verifyWithAllSecrets),
		...(requireTransactions ? checkTransactions(context) : []),
	];
	if (complaints.length > 0) throw new BetterAuthError(`tenantAuth refuses to start:\n - ${complaints.join("\n - ")}`);
};

const checkOrder = (plugins: readonly BetterAuthPlugin[], pluginId: string): string[] => {
	const complaints: string[] = [];
	if (plugins[0]?.id !== pluginId)
		complaints.push(
			"tenantAuth() must be the first plugin, so that requests are pinned before other plugins run. Move it to the front of `plugins`.",
		);
	// each would pin and scope for itself, with its own options
	const count = plugins.filter(({ id }) => id === pluginId).length;
	if (count > 1)
		complaints.push(
			`tenantAuth() is ${count} times in \`plugins\`. Keep one. withTenants(options, plugins) contains it: pass the options of tenantAuth() there.`,
		);
	return complaints;
};

/** Denies by default: all tenants would share a table or unique field that this plugin did not scope. */
const checkTables = (context: AuthContext): string[] => {
	const complaints: string[] = [];
	for (const [key, table] of Object.entries(context.tables)) {
		if (isGlobalTable(key)) continue;
		if (!table.fields.tenantId) {
			complaints.push(
				`the table "${key}" has no tenant. Pass its plugin to withTenants: plugins: withTenants(options, [thatPlugin()]).`,
			);
			continue;
		}
		for (const [name, field] of Object.entries(table.fields)) {
			if (!field.unique || name.startsWith(DERIVED_PREFIX) || isGloballyUnique(`${key}.${name}`)) continue;
			complaints.push(
				`"${key}.${name}" is unique among all tenants, so one tenant could find out values of another. Pass its plugin to withTenants(), or drop \`unique\` if it is your own additional field.`,
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
				`the unique index (${index.fields.join(", ")}) on "${key}" spans all tenants. Pass its plugin to withTenants(), or add tenantId to the index.`,
			);
		}
	}
	return complaints;
};

const checkSettings = ({ options, adapter }: AuthContext): string[] => {
	const complaints: string[] = [];
	if (options.user?.fields?.email)
		complaints.push(
			"`user.fields.email` renames the email column, which tenantAuth() does not support. Keep the column name `email`.",
		);
	// its ids are the number of rows, so a new tenant would get the id of another one after a deletion
	if (adapter.id === "memory" && options.advanced?.database?.generateId === "serial")
		complaints.push(
			'the in-memory database reuses serial ids after a deletion, so two tenants could have one id. Remove advanced.database.generateId: "serial", or set `database`.',
		);
	return complaints;
};

/** An adapter without transactions runs the callback directly, so nothing is rolled back. */
const checkTransactions = ({ adapter, options }: AuthContext): string[] => {
	if (!options.database) return []; // the engine's in-memory database, which is for testing
	if (adapter.options?.adapterConfig.transaction) return [];
	return [
		`the database adapter "${adapter.id}" runs without transactions: a crash could leave a user without an account. Turn them on (kysely: database: { db, type, transaction: true }; drizzle and prisma: transaction: true), or set database.requireTransactions of tenantAuth to false.`,
	];
};
