import { APIError } from "@better-auth/core/error";
import { contextOf, type RunningAuth } from "../../engine/service.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { SLUG } from "../../resolve/slug.ts";
import { runInTenant } from "../../scope/pin/tenant-context.ts";
import { closedError, isClosedStatus } from "../../scope/pin/tenant-state.ts";
import { tenantStoreOf } from "../../scope/tenants/tenant-store.ts";

/**
 * A tenant by its slug. A slug is read from a database, so `auth` says from which one.
 *
 * @example
 * ```ts
 * const tenant: TenantBySlug = { auth, slug: "acme" };
 * ```
 */
export type TenantBySlug = {
	/** Your Better Auth instance. */
	auth: RunningAuth;
	/** The slug of the tenant. */
	slug: string;
};

/**
 * Runs `fn` in the scope of a tenant, for jobs, scripts and server code without a request, or in another tenant than the
 * request. Everything that Better Auth reads and writes inside belongs to that tenant. It checks no permission.
 *
 * Whenever Better Auth uses the database or the storage inside, the tenant must exist and be open. Otherwise the call
 * throws `TENANT_NOT_FOUND`, or `TENANT_SUSPENDED` with `tenantLifecycle()`. The check uses `tenantCache`, as requests do: one query if the tenant is not cached. A slug
 * costs one more query, and a promise is returned.
 *
 * @example
 * ```ts
 * const users = await runWithTenant(tenantId, () => internalAdapter.listUsers(100));
 * const same = await runWithTenant({ auth, slug: "acme" }, () => internalAdapter.listUsers(100));
 * ```
 */
export function runWithTenant<Result>(tenantId: string, fn: () => Result): Result;
export function runWithTenant<Result>(tenant: TenantBySlug, fn: () => Result): Promise<Awaited<Result>>;
export function runWithTenant<Result>(
	tenant: string | TenantBySlug,
	fn: () => Result,
): Result | Promise<Awaited<Result>> {
	return typeof tenant === "string" ? runInTenant(tenant, fn) : runWithSlug(tenant, fn);
}

/** The slug is not cached: it can move to another tenant, and `fn` must not run in the wrong one. */
const runWithSlug = async <Result>({ auth, slug }: TenantBySlug, fn: () => Result): Promise<Awaited<Result>> => {
	const tenants = tenantStoreOf(await contextOf(auth));
	const tenant = SLUG.test(slug) ? await tenants.findKept({ slug }) : null;
	if (tenant && isClosedStatus(tenant.status)) throw closedError(tenant.status);
	if (!tenant) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
	return await runInTenant(tenant.id, fn);
};
