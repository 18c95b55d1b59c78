import type { BetterAuthClientPlugin } from "better-auth/client";
import { INVITATION_ERROR_CODES } from "./error-codes.ts";
import type { tenantInvitations } from "./tenant-invitations.ts";

/**
 * The client plugin of `tenantInvitations()`. It adds `authClient.tenant.invitation.create(…)`,
 * `authClient.tenant.invitation.accept(…)` and so on.
 *
 * @example
 * ```ts
 * const authClient = createAuthClient({ plugins: [tenantAuthClient(), tenantInvitationsClient()] });
 * ```
 */
export const tenantInvitationsClient = () =>
	({
		id: "tenant-invitations-client",
		$InferServerPlugin: {} as ReturnType<typeof tenantInvitations>,
		$ERROR_CODES: INVITATION_ERROR_CODES,
		pathMethods: {
			"/tenant/invitation/list": "GET",
			"/tenant/invitation/get": "GET",
		},
		// accepting signs a new user in
		atomListeners: [{ matcher: (path) => path === "/tenant/invitation/accept", signal: "$sessionSignal" }],
	}) satisfies BetterAuthClientPlugin;
