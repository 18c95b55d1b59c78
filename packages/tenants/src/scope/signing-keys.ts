import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import { BetterAuthError } from "@better-auth/core/error";
import type { ScopedMethods } from "./adapter.ts";
import { scopeOf } from "./context-scope.ts";
import { PLATFORM } from "./platform.ts";
import type { TenantContext } from "./tenant-context.ts";

/**
 * Keeps a tenant's signing keys readable. A plugin's hook gets the context of the request that it runs in, with that
 * tenant's secrets, also while `runWithTenant` works in another tenant. A key made there would be encrypted with the wrong
 * secret, and the other tenant could sign nothing from then on.
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
	const scope = endpoint && (scopeOf(endpoint.context) ?? PLATFORM);
	if (scope && scope !== tenantId)
		throw new BetterAuthError(
			"tenantAuth: a signing key of one tenant was about to be made with another's secret, by code inside runWithTenant. Call auth.api there instead of the request's own context.",
		);
};
