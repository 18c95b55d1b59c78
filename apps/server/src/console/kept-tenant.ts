import { APIError } from "better-auth/api";
import { TENANT_AUTH_ERROR_CODES, type TenantLifecycle } from "better-auth-tenants";
import { LIFECYCLE_ERROR_CODES } from "better-auth-tenants/lifecycle";
import { callApi, type ServerApi } from "../tenants/act-for-tenant.ts";

export type KeptTenant = {
	id: string;
	name: string;
	slug: string;
	metadata: Record<string, unknown> | null;
	status: TenantLifecycle["status"];
};

/**
 * Finds a tenant, also a suspended one. Throws the error of the other management endpoints if there is none. With `headers`,
 * their caller needs the permission. Without, check it before.
 */
export const findKeptTenant = async (api: ServerApi, id: string, headers?: Headers): Promise<KeptTenant> => {
	const tenant = await callApi(api, "getTenant", { query: { id }, ...(headers ? { headers } : {}) });
	if (!tenant) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
	const { metadata, lifecycle } = tenant as { metadata?: unknown; lifecycle?: TenantLifecycle };
	return {
		id: String(tenant.id),
		name: String(tenant.name),
		slug: String(tenant.slug),
		metadata: typeof metadata === "object" && metadata !== null ? (metadata as Record<string, unknown>) : null,
		status: lifecycle?.status ?? "active",
	};
};

/** The error for a change of a tenant that is not open, as the other management endpoints return it. */
export const closedError = ({ status }: KeptTenant): APIError => {
	const { TENANT_ARCHIVED, TENANT_SUSPENDED } = LIFECYCLE_ERROR_CODES;
	if (status === "suspended") return APIError.from("FORBIDDEN", TENANT_SUSPENDED);
	if (status === "archived") return APIError.from("FORBIDDEN", TENANT_ARCHIVED);
	return APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
};
