import type { GenericEndpointContext } from "@better-auth/core";
import { setAppName } from "../../engine/app-name.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import type { TenantProfiles } from "../../scope/tenants/tenant-profiles.ts";

/**
 * Names the tenant in authenticator apps and passkeys, so users with one email in two tenants can tell their entries apart.
 * Costs one query if the tenant's name is not cached.
 */
export const createNameInApps =
	(profiles: TenantProfiles) =>
	async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
		const profile = tenantId === PLATFORM ? null : await profiles.of(tenantId);
		if (profile) setAppName(ctx, profile.displayName);
	};
