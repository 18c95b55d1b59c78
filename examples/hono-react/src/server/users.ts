import { runWithTenant } from "better-auth-tenants";
import { auth } from "./auth.ts";

/** Lists the users of one tenant. Everything that Better Auth reads inside `runWithTenant` belongs to that tenant. */
export const listUsers = async (tenantId: string) => {
	const { internalAdapter } = await auth.$context;
	const users = await runWithTenant(tenantId, () => internalAdapter.listUsers(100));
	return users.map(({ id, name, email }) => ({ id, name, email }));
};
