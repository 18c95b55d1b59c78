import { getCurrentAdapter } from "@better-auth/core/context";
import type { BetterAuthDBSchema } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { SSO_ERROR_CODES } from "../sso-error-codes.ts";

export type DeactivatedUsers = ReturnType<typeof readDeactivated>;

/**
 * Users whom a SCIM directory has deactivated or deleted. The SCIM plugin ends their sessions, and leaves it to the application to
 * keep them from signing in again. Null without the plugin. Costs one query per sign-in and use of a credential, two for users of a
 * directory.
 */
export const readDeactivated = (tables: BetterAuthDBSchema, adapter: () => DBAdapter) => {
	if (!("scimSubject" in tables)) return null;
	/** Whether directories know a user, and none has them as active. A deleted user has no source any more. */
	const isDeactivated = async (userId: string): Promise<boolean> => {
		const rows = await getCurrentAdapter(adapter());
		const where = [{ field: "userId", value: userId }];
		if (!(await rows.findOne({ model: "scimSubject", where, select: ["id"] }))) return false;
		const sources = await rows.findMany<{ active: boolean }>({ model: "scimUser", where });
		return !sources.some(({ active }) => active);
	};
	return {
		isDeactivated,
		assertActive: async (userId: string): Promise<void> => {
			if (await isDeactivated(userId)) throw APIError.from("FORBIDDEN", SSO_ERROR_CODES.USER_DEACTIVATED);
		},
	};
};
