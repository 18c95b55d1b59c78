import type { HookEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { actsOnUsers } from "../../endpoints/admin-endpoints.ts";
import { createHook } from "../../engine/hook.ts";
import { TENANT_ADMIN_ERROR_CODES } from "../../errors/tenant-admin-error-codes.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";

export const isClosedInTenants = ({ path }: HookEndpointContext): boolean => actsOnUsers(path);

/**
 * Closes the endpoints of the engine's admin plugin in tenants, also those that it adds later. They know permissions, but no
 * owners: an admin could take over an owner by a password, by a session token or by impersonation. Calls of server code
 * without headers act for nobody and stay open.
 */
export const closeInTenants = createHook(async (ctx) => {
	if (!ctx.request && !ctx.headers) return;
	if (pinOf(ctx).current() !== PLATFORM)
		throw APIError.from("FORBIDDEN", TENANT_ADMIN_ERROR_CODES.ADMIN_ENDPOINT_CLOSED);
});
