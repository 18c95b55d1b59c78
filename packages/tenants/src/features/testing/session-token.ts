import type { AuthContext } from "@better-auth/core";
import { runInTenant } from "../../scope/pin/tenant-context.ts";
import type { TenantIsolationSide } from "./side.ts";

/** The token of a user's newest session, if it could be found. */
export const tokenOf = async (
	{ internalAdapter }: AuthContext,
	{ tenantId }: Pick<TenantIsolationSide, "tenantId">,
	userId: string,
): Promise<string | undefined> => {
	const sessions = await runInTenant(tenantId, () => internalAdapter.listSessions(userId));
	return sessions.at(-1)?.token;
};
