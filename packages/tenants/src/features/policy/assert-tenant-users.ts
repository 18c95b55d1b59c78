import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";

/** Throws unless all ids are users of the tenant. Another tenant's user is the same as a missing one. */
export const assertTenantUsers = async (
	{ context }: Pick<GenericEndpointContext, "context">,
	tenantId: string,
	userIds: readonly string[],
): Promise<void> => {
	for (const id of new Set(userIds)) {
		const user = await runInKnownTenant(tenantId, () => context.internalAdapter.findUserById(id));
		if (user) continue;
		const message = "breakGlassUserIds contains an id that is not a user of the tenant";
		throw APIError.from("BAD_REQUEST", { ...POLICY_ERROR_CODES.INVALID_POLICY, message });
	}
};
