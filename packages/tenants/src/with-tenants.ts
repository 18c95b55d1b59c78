import type { BetterAuthPlugin } from "@better-auth/core";
import { findForeignKeyTargets, scopePlugin } from "./compose/scope-plugin.ts";
import type { TenantAuthOptions } from "./options.ts";
import { createTenantAuth, type TenantAuthPlugin } from "./plugin.ts";
import { createTenantContext } from "./scope/tenant-context.ts";
import { scopeSso } from "./sso/scope-sso.ts";

/**
 * Returns `[tenantAuth(options), ...plugins]`, with the tables of the plugins scoped to tenants. Required for plugins
 * with tables or unique fields: `plugins: withTenants({ … }, [twoFactor()])`.
 *
 * Better Auth reads the schemas of plugins before they start, so the tables must be scoped before. The adapter,
 * migrations and Better Auth's command line then use the same tables.
 */
export const withTenants = <const Plugins extends readonly BetterAuthPlugin[]>(
	options: TenantAuthOptions,
	plugins: Plugins,
): [TenantAuthPlugin, ...Plugins] => {
	const pin = createTenantContext();
	const targets = findForeignKeyTargets(plugins);
	const scoped = plugins.map((plugin) => scopeSso(scopePlugin(plugin, pin.current, targets), pin.current));
	// map() loses the tuple type; scopePlugin returns the type it was given
	return [createTenantAuth(options, pin), ...(scoped as readonly BetterAuthPlugin[] as Plugins)];
};
