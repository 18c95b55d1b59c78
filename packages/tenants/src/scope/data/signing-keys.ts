import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import { BetterAuthError } from "@better-auth/core/error";
import { dispatchOf } from "../pin/dispatch.ts";
import { PLATFORM } from "../pin/platform.ts";
import type { TenantContext } from "../pin/tenant-context.ts";
import type { ScopedMethods } from "./adapter.ts";

/**
 * Prevents a signing key from being encrypted with another tenant's secret. A plugin's hook receives the request's
 * context with the secrets of its tenant, also while `runWithTenant` works in another tenant. With a key created there,
 * the other tenant could not sign anything.
 */
export const guardSigningKeys =
	(pin: TenantContext, isKeys: (model: string) => boolean) =>
	(methods: ScopedMethods): ScopedMethods => ({
		...methods,
		create: async (query) => {
			if (isKeys(query.model)) await assertOwnSecrets(pin.current());
			return methods.create(query);
		},
	});

const assertOwnSecrets = async (tenantId: string): Promise<void> => {
	const endpoint = await tryGetCurrentAuthEndpointContext();
	const scope = endpoint && (dispatchOf(endpoint.context).tenantId ?? PLATFORM);
	if (scope && scope !== tenantId)
		throw new BetterAuthError(
			"tenantAuth: code inside runWithTenant tried to create a tenant's signing key with another tenant's secret. Call auth.api there instead of using the request's context.",
		);
};
