import type { BetterAuthClientPlugin } from "better-auth/client";
import { TENANT_AUTH_ERROR_CODES } from "./errors/error-codes.ts";
import type { TenantPage } from "./features/tenants/list-tenant-page.ts";
import { nextCursor } from "./lib/next-cursor.ts";
import type { ListPage, ServerPlugin, SignUpActions } from "./plugin/client-types.ts";
import type { Tenant } from "./scope/tenants/tenant.ts";

export { TENANT_AUTH_ERROR_CODES } from "./errors/error-codes.ts";
export { tenantAdminClient } from "./features/admin/client.ts";
export { tenantInvitationsClient } from "./features/invitations/client.ts";
export { tenantLifecycleClient } from "./features/lifecycle/client.ts";
export type { OauthTestError } from "./features/oauth/test-outcome.ts";
export { tenantPolicyClient } from "./features/policy/client.ts";
export { nextCursor } from "./lib/next-cursor.ts";

/**
 * Options of `tenantAuthClient()`.
 *
 * @example
 * ```ts
 * const options: TenantAuthClientOptions = { tenantId: () => localStorage.getItem("tenant") };
 * ```
 */
export type TenantAuthClientOptions = {
	/**
	 * The tenant of all requests, including Better Auth's own calls such as `authClient.signIn.email(…)`. A function is called
	 * for each request.
	 * @default none
	 */
	tenantId?: string | (() => string | null | undefined);
	/**
	 * The header that carries the tenant id. Must be the server's `tenantHeader`.
	 * @default "x-tenant-id"
	 */
	tenantHeader?: string;
};

/**
 * The client plugin of `tenantAuth()`. It adds `authClient.tenant.signIn.email(…)`, `authClient.tenant.create(…)` and so on.
 * `authClient.tenant.listPage({ limit, cursor })` returns `{ tenants, nextCursor }`. With `typeof auth`, sign-up knows the
 * application's own user fields and requires the required ones.
 *
 * @example
 * ```ts
 * const authClient = createAuthClient({
 * 	plugins: [tenantAuthClient<typeof auth>({ tenantId: "acme-id" }), inferAdditionalFields<typeof auth>()],
 * });
 * ```
 */
export const tenantAuthClient = <Auth = unknown>({
	tenantId,
	tenantHeader = "x-tenant-id",
}: TenantAuthClientOptions = {}) =>
	({
		id: "tenant-auth-client",
		$InferServerPlugin: {} as ServerPlugin<Auth>,
		$ERROR_CODES: TENANT_AUTH_ERROR_CODES,
		pathMethods: {
			"/tenant/get": "GET",
			"/tenant/list": "GET",
			"/tenant/domain/list": "GET",
			"/tenant/current": "GET",
			"/tenant/methods": "GET",
			"/tenant/oauth-config/list": "GET",
		},
		// the engine's own sign-up sends `tenantId` like any other field; only its type does not have it
		getActions: ($fetch: Fetch) => ({ tenant: { listPage: listPage($fetch) } }) as Actions & SignUpActions<Auth>,
		// a sign-in through these endpoints changes the session, like Better Auth's own sign-in
		atomListeners: [
			{ matcher: (path) => /^\/tenant\/(sign-(in|up)\/|impersonate$)/.test(path), signal: "$sessionSignal" },
		],
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

// Taken from the plugin's own type: a declaration file writes an inferred one as `import("better-auth/client").BetterFetch`,
// and TypeScript before 7 compares its conditional types instead of seeing that it is the same type
type Fetch = Parameters<NonNullable<BetterAuthClientPlugin["getActions"]>>[0];

type Actions = { tenant: { listPage: ListPage } };

/** Lists one page of tenants. The body is an array, so the cursor comes from the Link header. */
const listPage =
	($fetch: Fetch): ListPage =>
	async (query = {}, { headers } = {}) => {
		let cursor: string | null = null;
		const { data, error } = await $fetch<Tenant[], { code?: string; message?: string }>("/tenant/list", {
			method: "GET",
			query,
			...(headers ? { headers } : {}),
			throw: false,
			onResponse: ({ response }) => {
				cursor = nextCursor(response.headers);
			},
		});
		if (error) return { data: null, error };
		const page: TenantPage = { tenants: data, nextCursor: cursor };
		return { data: page, error: null };
	};
