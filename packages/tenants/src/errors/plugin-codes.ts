import { CONCURRENCY_ERROR_CODES } from "./concurrency-error-codes.ts";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes.ts";
import { SSO_ERROR_CODES } from "./sso-error-codes.ts";
import { TRANSFER_ERROR_CODES } from "./transfer-error-codes.ts";

/**
 * Error codes of `tenantAuth()` and of `limitConcurrency`, with those of SSO and of the transfer of users. The code is the contract.
 * The message may change. The export of the same name in `better-auth-tenants/client` has those that browsers get.
 *
 * @example
 * ```ts
 * if (error.body?.code === TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND.code) showNotFound();
 * ```
 */
export const PLUGIN_CODES = {
	...TENANT_AUTH_ERROR_CODES,
	...SSO_ERROR_CODES,
	...TRANSFER_ERROR_CODES,
	...CONCURRENCY_ERROR_CODES,
};
