import type { AuthContext } from "@better-auth/core";
import type { HostRules } from "../../resolve/host-rules.ts";

/** Complains about a callback host that cannot receive the codes of all tenants. */
export const checkCallbackHost = (
	{ options }: AuthContext,
	rules: HostRules | undefined,
	callbackHost: string | null,
): string[] => {
	if (callbackHost === null) return [];
	if (!rules)
		return [
			"`oauth.callbackHost` is set, but resolveTenantId does not read the host, so all tenants share one redirect URI already. Remove `oauth.callbackHost`, or use fromSubdomain or fromCustomDomain.",
		];
	const complaints: string[] = [];
	if (!rules.isPlatform(callbackHost) && callbackHost !== homeOf(options))
		complaints.push(
			`\`oauth.callbackHost\` is ${callbackHost}, which could be a tenant's host: it would receive the codes of all tenants. Add "${callbackHost}" to platformHosts of the resolver.`,
		);
	if (options.plugins?.some(({ id }) => id === "oauth-proxy"))
		complaints.push(
			"`oauth.callbackHost` and the plugin oAuthProxy() both decide where providers return to. Remove one of them.",
		);
	return complaints;
};

/** The platform's own host. `checkHosts` complains if there is none. */
const homeOf = ({ baseURL }: AuthContext["options"]): string | undefined =>
	typeof baseURL === "object" && baseURL.fallback ? URL.parse(baseURL.fallback)?.hostname : undefined;
