import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { TENANT_ADMIN_ERROR_CODES } from "../../errors/tenant-admin-error-codes.ts";
import type { UserRow } from "../users/user.ts";

/** Changes a user with the hooks of the engine, which also updates the copies in a secondary storage. */
export const changeUser = async (
	{ context }: GenericEndpointContext,
	{ id }: UserRow,
	changes: Partial<UserRow>,
): Promise<UserRow> => {
	const changed: UserRow | null = await context.internalAdapter.updateUser<UserRow>(id, {
		...changes,
		updatedAt: new Date(),
	});
	if (!changed) throw APIError.from("NOT_FOUND", TENANT_ADMIN_ERROR_CODES.TENANT_USER_NOT_FOUND);
	return changed;
};
