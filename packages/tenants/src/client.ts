import type { BetterAuthClientPlugin } from "better-auth/client";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes.ts";
import type { tenantAuth } from "./plugin.ts";

export { TENANT_AUTH_ERROR_CODES } from "./error-codes.ts";

export type TenantAuthClientOptions = {
	/** The tenant of all requests. Also applies to Better Auth's own calls (`authClient.signIn.email(…)`). */
	tenantId?: string | (() => string | null | undefined);
	/**
	 * The header with the tenant id. Must match the server's `tenantHeader`.
	 * @default "x-tenant-id"
	 */
	tenantHeader?: string;
};

/** The client side of tenantAuth(): `authClient.tenant.signIn.email(…)`, `authClient.tenant.create(…)` and so on. */
export const tenantAuthClient = ({ tenantId, tenantHeader = "x-tenant-id" }: TenantAuthClientOptions = {}) =>
	({
		id: "tenant-auth-client",
		$InferServerPlugin: {} as ReturnType<typeof tenantAuth>,
		$ERROR_CODES: TENANT_AUTH_ERROR_CODES,
		pathMethods: {
			"/tenant/get": "GET",
			"/tenant/list": "GET",
			"/tenant/methods": "GET",
			"/tenant/oauth-config/list": "GET",
		},
		// a sign-in through these endpoints changes the session, like Better Auth's own sign-in
		atomListeners: [{ matcher: (path) => /^\/tenant\/(sign-(in|up)\/|enter$)/.test(path), signal: "$sessionSignal" }],
		fetchPlugins: [
			{
				id: "tenant-auth-client",
				name: "tenant-auth-client",
				hooks: {
					onRequest: (request) => {
						const id = typeof tenantId === "function" ? tenantId() : tenantId;
						if (id && !request.headers.has(tenantHeader)) request.headers.set(tenantHeader, id);
						return request;
					},
				},
			},
		],
	}) satisfies BetterAuthClientPlugin;
