import type { BetterAuthPlugin } from "@better-auth/core";
import { scopeSso } from "../features/sso/scope-sso.ts";
import { findForeignKeyTargets, scopePlugin } from "../scope/compose/scope-plugin.ts";
import { createTenantContext } from "../scope/pin/tenant-context.ts";
import type { TenantAuthOptions } from "./options.ts";
import { createTenantAuth, type TenantAuthPlugin } from "./plugin.ts";

/**
 * Returns `[tenantAuth(options), ...plugins]` with the plugins' tables and unique fields scoped to tenants. Use it for
 * plugins that have tables or unique fields.
 *
 * Better Auth reads the schemas of plugins once, before any of them starts, so their tables must be scoped before. The
 * adapter, migrations and Better Auth's command line then see the same tables.
 *
 * @example
 * ```ts
 * betterAuth({ plugins: withTenants({ tenantHeader: false }, [organization(), twoFactor()]) });
 * ```
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
