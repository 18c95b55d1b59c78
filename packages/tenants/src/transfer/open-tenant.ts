import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { servicesOf } from "../services.ts";

/** The tenant whose users are moved. An unknown one, a closed one and the platform are one and the same 404. */
export const requireOpenTenant = async (
	ctx: Pick<GenericEndpointContext, "context">,
	tenantId: string | null,
): Promise<string> => {
	const { tenants, assertTenantsOpen } = servicesOf(ctx);
	// from the table, where the platform is not: the cache may still know a tenant that another process is deleting
	if (!tenantId || !(await tenants.findOpen({ id: tenantId })))
		throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
	await assertTenantsOpen();
	return tenantId;
};
