import type { ResolveTenantId } from "./hint.ts";
import { requestHost } from "./request-host.ts";

/**
 * Options of `fromCustomDomain`.
 *
 * @example
 * ```ts
 * const options: CustomDomainOptions = { findTenantId: (host) => tenantIdByHost.get(host) };
 * ```
 */
type CustomDomainOptions = {
	/** Returns the id of the tenant that owns this host name, or nothing if there is none. Runs on every request, so cache it. */
	findTenantId: (host: string) => string | null | undefined | Promise<string | null | undefined>;
};

/**
 * Resolves the tenant from the host name of the request, such as `login.acme.com`.
 *
 * @example
 * ```ts
 * tenantAuth({ resolveTenantId: fromCustomDomain({ findTenantId: (host) => tenantIdByHost.get(host) }) });
 * ```
 */
export const fromCustomDomain =
	({ findTenantId }: CustomDomainOptions): ResolveTenantId =>
	(request) => {
		const host = requestHost(request);
		return host ? findTenantId(host) : null;
	};
