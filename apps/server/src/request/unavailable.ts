import { APIError } from "better-auth/api";
import { TENANT_AUTH_ERROR_CODES } from "better-auth-tenants";

const { code, message } = TENANT_AUTH_ERROR_CODES.STORE_UNAVAILABLE;
const HEADERS = { "cache-control": "no-store", "retry-after": "1" };

/** The 503 for a database or Redis outage. Clients should retry. */
export const unavailable = (): APIError => new APIError("SERVICE_UNAVAILABLE", { code, message }, HEADERS);

/** The same as a response, for code that runs before the engine can turn an error into one. */
export const unavailableResponse = (): Response => Response.json({ code, message }, { status: 503, headers: HEADERS });
