import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import { explicitTenant } from "./scope/tenant-context.ts";
import type { TenantAuthServices } from "./services.ts";

/**
 * The tenant of the running request, for hooks, logs and metrics: PLATFORM on the platform, null where no request of an
 * engine with tenants is running. Inside runWithTenant it is the tenant that was named there.
 */
export const currentTenantId = (): string | null => {
	// of the engine whose endpoint is running: another one in the same process may be in another tenant
	const running = tryGetCurrentAuthEndpointContext()?.context as { tenantAuth?: TenantAuthServices } | undefined;
	return explicitTenant() ?? running?.tenantAuth?.pin.ofRequest() ?? null;
};
