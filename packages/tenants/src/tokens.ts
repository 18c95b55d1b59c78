import { APIError, BetterAuthError } from "@better-auth/core/error";
import {
	requestToResourceInput,
	type VerifyAccessTokenOptions,
	type VerifyAccessTokenRequestOptions,
	verifyAccessTokenRequest,
	verifyBearerToken,
} from "@better-auth/core/oauth2";
import { withCodes } from "./errors/error-codes.ts";
import { isTenantId } from "./resolve/tenant-id.ts";
import { TENANT_CLAIM } from "./scope/compose/tenant-claim.ts";

export { TENANT_CLAIM };

/**
 * Error codes of `verifyTenantToken` and `verifyTenantRequest`, in addition to Better Auth's.
 *
 * @example
 * ```ts
 * if (error.body?.code === TOKEN_ERROR_CODES.TOKEN_TENANT_MISMATCH.code) showNotFound();
 * ```
 */
export const TOKEN_ERROR_CODES = withCodes({
	TOKEN_TENANT_MISMATCH: "The token belongs to another tenant or has no tenant_id. Get a token in this tenant",
});

type ForTenant = {
	/**
	 * The tenant that the token must belong to, or `"platform"`. Take it from your route or host, never from the token.
	 */
	tenantId: string;
	/**
	 * The JWKS endpoint of the issuer, such as `https://auth.example.com/api/auth/jwks`. Each tenant has its own keys, so
	 * `tenantId` is added to the query. Use a function if tenants have their own hosts. Keys are cached by URL.
	 * @default none
	 */
	jwksUrl?: string | ((tenantId: string) => string);
};

/**
 * Options of Better Auth's `verifyBearerToken`, with the tenant. `issuer` and `audience` are required.
 *
 * @example
 * ```ts
 * const options: TenantTokenOptions = {
 * 	tenantId,
 * 	jwksUrl: "https://auth.example.com/api/auth/jwks",
 * 	verifyOptions: { issuer: "https://auth.example.com", audience: "https://api.example.com" },
 * };
 * ```
 */
export type TenantTokenOptions = Omit<VerifyAccessTokenOptions, "jwksUrl"> & ForTenant;
/**
 * Options of Better Auth's `verifyAccessTokenRequest`, with the tenant. `issuer` and `audience` are required.
 *
 * @example
 * ```ts
 * const options: TenantRequestOptions = {
 * 	tenantId,
 * 	jwksUrl: "https://auth.example.com/api/auth/jwks",
 * 	verifyOptions: { issuer: "https://auth.example.com", audience: "https://api.example.com" },
 * };
 * ```
 */
export type TenantRequestOptions = Omit<VerifyAccessTokenRequestOptions, "jwksUrl"> & ForTenant;

/**
 * The claims of a verified token, with its tenant.
 *
 * @example
 * ```ts
 * const { sub, tenant_id }: TenantTokenPayload = await verifyTenantToken(token, options);
 * ```
 */
export type TenantTokenPayload = Awaited<ReturnType<typeof verifyBearerToken>> & { [TENANT_CLAIM]: string };

/**
 * Verifies a token of the jwt plugin or an access token of the OAuth provider, in a resource server that knows the tenant of
 * the request. All tenants share one issuer, so signature, issuer and audience alone do not distinguish their tokens.
 *
 * Throws an `APIError` (401) for a token that is forged, expired, for another audience or of another tenant. Rejects tokens
 * that are bound to a key (DPoP), because they need the whole request. Use `verifyTenantRequest` for them.
 *
 * @example
 * ```ts
 * const { sub } = await verifyTenantToken(token, {
 * 	tenantId,
 * 	jwksUrl: "https://auth.example.com/api/auth/jwks",
 * 	verifyOptions: { issuer: "https://auth.example.com", audience: "https://api.example.com" },
 * });
 * ```
 */
export const verifyTenantToken = async (token: string, options: TenantTokenOptions): Promise<TenantTokenPayload> =>
	ofTenant(await verifyBearerToken(token, forEngine(options)), options.tenantId);

/**
 * Verifies the token of a request: a bearer token, or a token that is bound to a key (DPoP, RFC 9449) with its proof.
 *
 * @example
 * ```ts
 * const { sub } = await verifyTenantRequest(request, {
 * 	tenantId,
 * 	jwksUrl: "https://auth.example.com/api/auth/jwks",
 * 	verifyOptions: { issuer: "https://auth.example.com", audience: "https://api.example.com" },
 * });
 * ```
 */
export const verifyTenantRequest = async (
	request: Request,
	options: TenantRequestOptions,
): Promise<TenantTokenPayload> =>
	ofTenant(await verifyAccessTokenRequest(requestToResourceInput(request), forEngine(options)), options.tenantId);

type Payload = Awaited<ReturnType<typeof verifyBearerToken>>;

const ofTenant = (payload: Payload, tenantId: string): TenantTokenPayload => {
	if (!namesTenant(payload, tenantId)) throw APIError.from("UNAUTHORIZED", TOKEN_ERROR_CODES.TOKEN_TENANT_MISMATCH);
	return payload;
};

const namesTenant = (payload: Payload, tenantId: string): payload is TenantTokenPayload =>
	payload[TENANT_CLAIM] === tenantId;

/** Throws if `issuer` or `audience` is missing, because the engine would then skip the check. */
const forEngine = <Options extends TenantTokenOptions>({ tenantId, jwksUrl, ...options }: Options) => {
	if (!isTenantId(tenantId))
		throw new BetterAuthError(
			'tenantId is not a valid tenant id. Set the id of the tenant that this request is for, or "platform".',
		);
	for (const name of ["issuer", "audience"] as const) {
		if (!options.verifyOptions?.[name]?.length)
			throw new BetterAuthError(`verifyOptions.${name} is missing. Set the ${name} of your tokens.`);
	}
	const url = typeof jwksUrl === "function" ? jwksUrl(tenantId) : jwksUrl && withTenant(jwksUrl, tenantId);
	return { ...options, ...(url ? { jwksUrl: url } : {}) };
};

/** In the query instead of a header, because the engine and HTTP caches store keys by URL. */
const withTenant = (jwksUrl: string, tenantId: string): string => {
	const url = new URL(jwksUrl);
	url.searchParams.set("tenantId", tenantId);
	return url.toString();
};
