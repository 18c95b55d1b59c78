import { APIError } from "better-auth/api";
import { TENANT_AUTH_ERROR_CODES } from "better-auth-tenants";

const { code, message } = TENANT_AUTH_ERROR_CODES.STORE_UNAVAILABLE;
const HEADERS = { "cache-control": "no-store", "retry-after": "1" };

/** What callers are told while the database or Redis does not answer, wherever it is noticed: come again. */
export const unavailable = (): APIError => new APIError("SERVICE_UNAVAILABLE", { code, message }, HEADERS);

/** The same, for what runs before the engine can turn an error into an answer. */
export const unavailableResponse = (): Response => Response.json({ code, message }, { status: 503, headers: HEADERS });
