import type { GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { setAppName } from "../../engine/app-name.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import type { TenantProfiles } from "../../scope/tenants/tenant-profiles.ts";

/**
 * Names the tenant in authenticator apps and passkeys, so users with one email in two tenants can tell their entries apart.
 * Costs one query if the tenant's name is not cached. Every request calls it, so it returns a promise only where a name is
 * shown.
 */
export const createNameInApps = (profiles: TenantProfiles) => {
	const nameTenant = async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
		const profile = await profiles.of(tenantId);
		if (profile) setAppName(ctx, profile.displayName);
	};
	return (ctx: GenericEndpointContext, tenantId: string): Promise<void> | undefined =>
		tenantId !== PLATFORM && endpointOf(ctx.path).showsAppName ? nameTenant(ctx, tenantId) : undefined;
};
