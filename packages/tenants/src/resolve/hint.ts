import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { isTenantId } from "./tenant-id.ts";

/** What a resolver is shown of a request. On `auth.api` calls without a request, `request` and `headers` may be missing. */
export type ResolvableRequest = {
	/** The endpoint's path below the base path, e.g. `/sign-in/email` */
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
	/** false: the header is not a source */
	tenantHeader: string | false;
};

/**
 * What a request says about its tenant: the option, the body, the query, the header; the first that answers wins.
 * A hint is never an authority. It is one well-formed string or nothing; everything else is refused here, so that no
 * array or object ever reaches a database.
 */
export const readHint = async (request: ResolvableRequest, sources: HintSources): Promise<string | null> => {
	const hint =
		said(await sources.resolveTenantId?.(request)) ??
		said(field(request.body)) ??
		said(field(request.query)) ??
		said(header(request, sources.tenantHeader));
	if (hint === null) return null;
	if (!isTenantId(hint)) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_TENANT_ID);
	return hint;
};

/** An empty answer is none. */
const said = (hint: unknown): NonNullable<unknown> | null => (hint === "" ? null : (hint ?? null));

const field = (from: unknown): unknown =>
	typeof from === "object" && from !== null && Object.hasOwn(from, "tenantId")
		? (from as { tenantId: unknown }).tenantId
		: undefined;

const header = (request: ResolvableRequest, name: string | false): string | null | undefined =>
	name === false ? undefined : (request.headers ?? request.request?.headers)?.get(name);
