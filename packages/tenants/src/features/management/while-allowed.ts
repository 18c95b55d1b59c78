import type { GenericEndpointContext } from "@better-auth/core";
import { runWithTransaction } from "@better-auth/core/context";
import { userGuardOf } from "../../scope/compose/companion.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { tenantStoreOf } from "../../scope/tenants/tenant-store.ts";
import { unavailable } from "./open-tenant.ts";

/**
 * Runs a write that the guard has allowed while the users of a tenant who decided it keep their rights. Between the guard and the
 * write, the audit and the database take time, and whoever is banned or demoted meanwhile must not give the tenant an identity
 * provider. Runs keys, operators and server code as they are. Costs three statements for a user of a tenant, with `tenantAdmin()`.
 */
export const whileAllowed = async <Result>(
	ctx: GenericEndpointContext,
	write: () => Promise<Result>,
): Promise<Result> => {
	const { hasActors, holdActors } = userGuardOf(ctx);
	const pin = pinOf(ctx);
	const tenants = tenantStoreOf(ctx);
	if (!(await hasActors())) return write();
	return runWithTransaction(ctx.context.adapter, async () => {
		// first, as every change of a role does, so that two changes cannot wait for each other
		const tenantId = pin.current();
		if (!(await tenants.holdOpen(tenantId))) throw await unavailable(ctx, tenantId);
		await holdActors();
		return write();
	});
};
