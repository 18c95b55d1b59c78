import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../errors/error-codes.ts";
import type { HostRules } from "./host-rules.ts";
import { isTenantId } from "./tenant-id.ts";
import type { TenantLookup } from "./tenant-lookup.ts";

/**
 * What a resolver receives of a request.
 *
 * @example
 * ```ts
 * const resolveTenantId = ({ headers }: ResolvableRequest) => headers?.get("x-organization");
 * ```
 */
export type ResolvableRequest = {
	/** The path of the endpoint below the base path, such as `/sign-in/email`. */
	path: string;
	/** The HTTP request. Missing for calls of `auth.api` without a request. */
	request?: Request | undefined;
	/** The headers. Missing for calls of `auth.api` without headers. */
	headers?: Headers | undefined;
	/** The parsed body, not validated. */
	body?: unknown;
	/** The parsed query, not validated. */
	query?: unknown;
	/**
	 * The host of the request: lower case, without port and trailing dot. From `X-Forwarded-Host` only with
	 * `advanced.trustedProxyHeaders`. Null if there is none. The plugin always sets it.
	 */
	host?: string | null | undefined;
	/** Finds tenants by slug and domain, cached. The plugin always sets it. */
	tenants?: TenantLookup | undefined;
	/** The host of `baseURL.fallback`, which belongs to no tenant. The plugin sets it if the resolver reads the host. */
	platformHost?: string | undefined;
};

/**
 * Returns the id of the tenant that a request is for, or nothing to let the next source decide.
 *
 * @example
 * ```ts
 * const resolveTenantId: ResolveTenantId = ({ headers, tenants }) =>
 * 	tenants?.bySlug(headers?.get("x-workspace") ?? "") ?? null;
 * ```
 */
export type ResolveTenantId = {
	(request: ResolvableRequest): string | null | undefined | Promise<string | null | undefined>;
	/** Which hosts belong to tenants. Set by the resolvers of this package that read the host. */
	readonly hosts?: HostRules;
};

export type HintSources = {
	resolveTenantId?: ResolveTenantId | undefined;
	/** false: the header is not read */
	tenantHeader: string | false;
};

/**
 * Reads the tenant that a request names. Sources, in this order: `resolveTenantId`, the body, the query, the header. A
 * hint is never a proof. It is one well-formed string or null. Any other value is rejected, so no array or object
 * reaches a database.
 */
export const readHint = async (request: ResolvableRequest, sources: HintSources): Promise<string | null> => {
	const hint =
		orNull(await sources.resolveTenantId?.(request)) ??
		orNull(field(request.body)) ??
		orNull(field(request.query)) ??
		orNull(header(request, sources.tenantHeader));
	if (hint === null) return null;
	if (!isTenantId(hint)) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_TENANT_ID);
	return hint;
};

/** An empty string counts as no hint. */
const orNull = (hint: unknown): NonNullable<unknown> | null => (hint === "" ? null : (hint ?? null));

const field = (from: unknown): unknown =>
	typeof from === "object" && from !== null && Object.hasOwn(from, "tenantId")
		? (from as { tenantId: unknown }).tenantId
		: undefined;

const header = (request: ResolvableRequest, name: string | false): string | null | undefined =>
	name === false ? undefined : (request.headers ?? request.request?.headers)?.get(name);
