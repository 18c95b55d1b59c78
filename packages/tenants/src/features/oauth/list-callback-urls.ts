import type { AuthContext } from "@better-auth/core";
import { contextOf, type RunningAuth } from "../../engine/service.ts";
import { callbackPathOf } from "./callback-path.ts";
import { callbackURLsOf } from "./callback-urls.ts";

/**
 * Returns the redirect URIs that social sign-ins of a tenant send for a provider, one for each host of the tenant. Use it to
 * show them before a config is registered; afterwards, the config has them as `callbackURLs`. Set `ownServer` for a provider
 * on a server that the tenant names in `options`. Costs two queries if tenants have hosts.
 *
 * @example
 * ```ts
 * const [redirectURI] = await listCallbackURLs(auth, { tenantId, providerId: "google" });
 * ```
 */
export const listCallbackURLs = async (
	auth: RunningAuth,
	{ tenantId, providerId, ownServer = false }: { tenantId: string; providerId: string; ownServer?: boolean },
): Promise<string[]> => {
	const callbackURLs = callbackURLsOf(await contextOf(auth));
	const urlsOf = await callbackURLs((await auth.$context) as AuthContext, tenantId);
	return urlsOf(providerId, callbackPathOf(providerId, tenantId, ownServer ? "own" : "shared"));
};
