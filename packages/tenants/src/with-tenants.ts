import type { BetterAuthPlugin } from "@better-auth/core";
import { findForeignKeyTargets, scopePlugin } from "./compose/scope-plugin.ts";
import type { TenantAuthOptions } from "./options.ts";
import { createTenantAuth, type TenantAuthPlugin } from "./plugin.ts";
import { createTenantContext } from "./scope/tenant-context.ts";
import { scopeSso } from "./sso/scope-sso.ts";

/**
 * tenantAuth() together with plugins that own tables or unique fields: `plugins: withTenants({ … }, [twoFactor()])`.
 *
 * The engine reads the plugins' schemas once, before any of them starts, so their tables have to be scoped before they
 * are handed to it. The running adapter, migrations and the engine's command line then see the same tables.
 */
export const withTenants = <const Plugins extends readonly BetterAuthPlugin[]>(
	options: TenantAuthOptions,
	plugins: Plugins,
): [TenantAuthPlugin, ...Plugins] => {
	const pin = createTenantContext();
	const targets = findForeignKeyTargets(plugins);
	const scoped = plugins.map((plugin) => scopeSso(scopePlugin(plugin, pin.current, targets), pin.current));
	// map() forgets that the list keeps its shape; scopePlugin answers the type it was given
	return [createTenantAuth(options, pin), ...(scoped as readonly BetterAuthPlugin[] as Plugins)];
};
