import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { PLATFORM } from "../pin/platform.ts";

/** Throws for the platform, because some endpoints require a tenant. */
export const requireTenant = (tenantId: string): string => {
	if (tenantId === PLATFORM) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.TENANT_ID_REQUIRED);
	return tenantId;
};
