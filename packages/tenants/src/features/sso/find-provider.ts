import type { GenericEndpointContext } from "@better-auth/core";
import type { SsoProviderRow } from "./provider-authority.ts";

/** Finds an SSO provider of the request's tenant. */
export const findSsoProvider = (
	{ context }: Pick<GenericEndpointContext, "context">,
	providerId: string,
): Promise<SsoProviderRow | null> =>
	context.adapter.findOne<SsoProviderRow>({
		model: "ssoProvider",
		where: [{ field: "providerId", value: providerId }],
	});
