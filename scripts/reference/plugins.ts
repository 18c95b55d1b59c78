import { allPlugins, type ShownPlugin } from "../../packages/tenants/scripts/all-plugins.ts";

/** A plugin of the package, and where its sources are. */
export type DocumentedPlugin = {
	/** the function that creates it */
	name: string;
	/** the published entry that exports the function */
	entry: string;
	/** the file with its endpoints */
	file: string;
	/** the file with its tables */
	schemaFile: string;
	/** whether it is off unless an application adds it */
	isCompanion: boolean;
	plugin: ShownPlugin;
};

/** Where the sources of each plugin are, by its id. */
const SOURCES: Record<string, Omit<DocumentedPlugin, "plugin" | "isCompanion">> = {
	"tenant-auth": {
		name: "tenantAuth",
		entry: "better-auth-tenants",
		file: "src/plugin/plugin.ts",
		schemaFile: "src/scope/data/schema.ts",
	},
	"tenant-lifecycle": {
		name: "tenantLifecycle",
		entry: "better-auth-tenants/lifecycle",
		file: "src/features/lifecycle/tenant-lifecycle.ts",
		schemaFile: "src/features/lifecycle/schema.ts",
	},
	"tenant-admin": {
		name: "tenantAdmin",
		entry: "better-auth-tenants/admin",
		file: "src/features/admin/tenant-admin.ts",
		schemaFile: "src/features/admin/schema.ts",
	},
	"tenant-invitations": {
		name: "tenantInvitations",
		entry: "better-auth-tenants/admin",
		file: "src/features/invitations/tenant-invitations.ts",
		schemaFile: "src/features/invitations/schema.ts",
	},
	"tenant-policy": {
		name: "tenantPolicy",
		entry: "better-auth-tenants/policy",
		file: "src/features/policy/plugin.ts",
		schemaFile: "src/features/policy/schema.ts",
	},
};

/** All plugins of the package, as `withTenants` composes them. */
export const documentedPlugins = (): DocumentedPlugin[] =>
	allPlugins().flatMap((plugin) => {
		const source = SOURCES[plugin.id];
		return source ? [{ ...source, plugin, isCompanion: plugin.id !== "tenant-auth" }] : [];
	});
