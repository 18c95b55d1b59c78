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
 * Keeps users on the tenant host they came to. Cookies belong to that host, so mail links, redirects and callback URLs
 * must lead back to it. Any other `Host` header has no effect.
 *
 * The engine's `baseURL: { allowedHosts }` does the same but trusts every host in every tenant: the owner of one domain
 * could have another tenant's password resets sent there. Here a host is trusted only in its own requests, and appears
 * only in URLs of requests pinned to its tenant. Mount this plugin after tenantAuth(), which pins them.
 */
export const tenantHosts = ({ publicURL, basePath, trustedOrigins, tenantOfHost }: HostsWith): BetterAuthPlugin => {
	const originOf = (host: string): string => {
		const url = new URL(publicURL);
		url.hostname = host;
		return url.origin;
	};
	const isOurs = (origin: string): boolean => origin === new URL(publicURL).origin || trustedOrigins.includes(origin);

	/** Removes an origin that was trusted for the origin check, which runs before the tenant is known. */
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
			// the engine copies its context per request, so other requests are not affected
			context.trustedOrigins = [originOf(host), ...context.trustedOrigins];
			// the OAuth provider's documents are served before the tenant is pinned
			context.baseURL = `${originOf(host)}${basePath}`;
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
						// operators may use any host; a session or callback of another tenant may not
						if (pinned !== PLATFORM) throw twoTenants();
						distrust(context, origin);
						context.baseURL = `${publicURL}${basePath}`;
					}),
				},
			],
		},
	};
};
