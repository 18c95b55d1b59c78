import type { User } from "@better-auth/core/db";
import type { TenantContext } from "../pin/tenant-context.ts";

/**
 * A database hook that removes the id of a new user if a caller chose it, as an admin can with `/admin/create-user`. Ids
 * are primary keys of all tenants: the caller could find out or take the id of another tenant's user, also of a deleted
 * one that the application's own tables still name.
 *
 * A hook, and not the adapter: this plugin's hooks run first, so ids from hooks of the application stay.
 */
export const dropChosenId = (pin: Pick<TenantContext, "isServerCode">) => async (user: Partial<User>) => {
	if (pin.isServerCode() || user.id === undefined) return;
	return { data: { id: undefined } };
};
