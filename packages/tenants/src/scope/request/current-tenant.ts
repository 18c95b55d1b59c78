import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import { explicitTenant, pinOf } from "../pin/tenant-context.ts";

/**
 * Returns the tenant of the running request, for hooks, logs and metrics. Returns `PLATFORM` on the platform, and null if no
 * request of a Better Auth instance with tenants is running. Inside `runWithTenant` it returns that tenant.
 *
 * @example
 * ```ts
 * logger.info({ tenantId: currentTenantId() }, "user signed up");
 * ```
 */
export const currentTenantId = (): string | null => {
	// of the instance whose endpoint is running; another instance in the same process may be in another tenant
	const running = tryGetCurrentAuthEndpointContext();
	return explicitTenant() ?? (running && pinOf.find(running)?.ofRequest()) ?? null;
};
