import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { closedError, isClosedStatus } from "../../scope/pin/tenant-state.ts";
import { databaseCheckOf } from "../../scope/request/request-scope.ts";
import { tenantStoreOf } from "../../scope/tenants/tenant-store.ts";

/** Requires an open tenant. Throws 404 for an unknown tenant, a closed tenant and the platform. */
export const requireOpenTenant = async (
	ctx: Pick<GenericEndpointContext, "context">,
	tenantId: string | null,
): Promise<string> => {
	const tenants = tenantStoreOf(ctx);
	const assertTenantsOpen = databaseCheckOf(ctx);
	// reads the table, which has no platform row; the cache may contain a tenant that another process is deleting
	if (!tenantId || !(await tenants.openToServe(tenantId))) throw await unavailable(ctx, tenantId);
	await assertTenantsOpen();
	return tenantId;
};

/** Requires a tenant that operators can read: an open, suspended or archived one. For code that writes nothing. */
export const requireKeptTenant = async (
	ctx: Pick<GenericEndpointContext, "context">,
	tenantId: string | null,
): Promise<string> => {
	const tenants = tenantStoreOf(ctx);
	const assertTenantsOpen = databaseCheckOf(ctx);
	if (!tenantId || !(await tenants.findKept({ id: tenantId })))
		throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
	await assertTenantsOpen();
	return tenantId;
};

/** Says why a tenant is not open: suspended, archived, or unknown. */
export const unavailable = async (
	ctx: Pick<GenericEndpointContext, "context">,
	tenantId: string | null,
): Promise<APIError> => {
	const status = tenantId ? (await tenantStoreOf(ctx).find(tenantId))?.status : undefined;
	return isClosedStatus(status)
		? closedError(status)
		: APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
};
