import type { AuthContext, BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware, isAPIError } from "better-auth/api";
import { currentTenantId, PLATFORM } from "better-auth-tenants";
import { hostOf, type TenantOfHost } from "./tenant-of-host.ts";
import { twoTenants } from "./two-tenants.ts";
import { unavailableResponse } from "./unavailable.ts";

type HostsWith = {
	publicURL: string;
	basePath: string;
	trustedOrigins: readonly string[];
	tenantOfHost: TenantOfHost;
};

/**
 * Keeps people on the host they came to, where it is a tenant's own: cookies are that host's, so mail links, redirects and
 * callback URLs have to lead back to it. Any other host changes nothing, whatever a caller writes into `Host`.
 *
 * The engine's `baseURL: { allowedHosts }` does the same and trusts each of these hosts in each tenant: whoever owns one
 * domain could have another tenant's password resets sent there. Here a host is trusted in its own requests only, and
 * stands in the addresses of requests only that are pinned to its tenant. Mount it behind tenantAuth(), which pins them.
 */
export const tenantHosts = ({ publicURL, basePath, trustedOrigins, tenantOfHost }: HostsWith): BetterAuthPlugin => {
	const originOf = (host: string): string => {
		const url = new URL(publicURL);
		url.hostname = host;
		return url.origin;
	};
	const isOurs = (origin: string): boolean => origin === new URL(publicURL).origin || trustedOrigins.includes(origin);

	/** What was trusted for the check of origins, which comes before the tenant is known. */
	const distrust = (context: AuthContext, origin: string): void => {
		if (!isOurs(origin)) context.trustedOrigins = context.trustedOrigins.filter((trusted) => trusted !== origin);
	};

	return {
		id: "tenant-hosts",
		onRequest: async (request, context) => {
			const host = hostOf({ request });
			try {
				if ((await tenantOfHost(host)) === null) return undefined;
			} catch (error) {
				const isRefusal = isAPIError(error) && error.statusCode < 500;
				return {
					response: isRefusal ? Response.json(error.body, { status: error.statusCode }) : unavailableResponse(),
				};
			}
			// the engine copies its context for each request, so this reaches no other one
			context.trustedOrigins = [originOf(host), ...context.trustedOrigins];
			return undefined;
		},
		hooks: {
			before: [
				{
					matcher: ({ request }) => request !== undefined,
					handler: createAuthMiddleware(async ({ request, context }) => {
						const host = hostOf({ request });
						const owner = await tenantOfHost(host);
						if (owner === null) return;
						const origin = originOf(host);
						const pinned = currentTenantId();
						if (pinned === owner) {
							context.baseURL = `${origin}${basePath}`;
							context.options = { ...context.options, baseURL: origin };
							return;
						}
						// operators work at any host; another tenant's session or provider's answer has no business at this one
						if (pinned !== PLATFORM) throw twoTenants();
						distrust(context, origin);
					}),
				},
			],
		},
	};
};
