import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import { explicitTenant } from "./scope/tenant-context.ts";
import type { TenantAuthServices } from "./services.ts";

/**
 * Returns the tenant of the running request, for hooks, logs and metrics. Returns `PLATFORM` for the platform, and null
 * outside of a request. Inside `runWithTenant`, returns that tenant.
 */
export const currentTenantId = (): string | null => {
	// of the instance whose endpoint is running; another instance in the same process may be in another tenant
	const running = tryGetCurrentAuthEndpointContext()?.context as { tenantAuth?: TenantAuthServices } | undefined;
	return explicitTenant() ?? running?.tenantAuth?.pin.ofRequest() ?? null;
};
