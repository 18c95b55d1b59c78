import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { isTenantId } from "./tenant-id.ts";

/** The parts of a request that a resolver receives. `request` and `headers` may be missing in `auth.api` calls. */
export type ResolvableRequest = {
	/** The endpoint's path below the base path, for example `/sign-in/email` */
	path: string;
	request?: Request | undefined;
	headers?: Headers | undefined;
	body?: unknown;
	query?: unknown;
};

export type ResolveTenantId = (
	request: ResolvableRequest,
) => string | null | undefined | Promise<string | null | undefined>;

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
