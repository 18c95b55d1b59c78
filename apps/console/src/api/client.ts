import { passkeyClient } from "@better-auth/passkey/client";
import { twoFactorClient } from "better-auth/client/plugins";
import { createAuthClient } from "better-auth/react";
import {
	tenantAdminClient,
	tenantAuthClient,
	tenantInvitationsClient,
	tenantLifecycleClient,
	tenantPolicyClient,
} from "better-auth-tenants/client";
import { PLACE } from "../place.ts";

/** The public client. The console has no other way to the service. */
export const authClient = createAuthClient({
	baseURL: PLACE.api,
	plugins: [
		tenantAuthClient(),
		tenantAdminClient(),
		tenantInvitationsClient(),
		tenantLifecycleClient(),
		tenantPolicyClient(),
		twoFactorClient(),
		passkeyClient(),
	],
});
