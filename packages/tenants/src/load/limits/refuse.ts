import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import type { CountInWindow } from "./count-in-window.ts";
import type { Owner } from "./windows.ts";

const REFUSALS = {
	TOO_MANY_REQUESTS: TENANT_AUTH_ERROR_CODES.TOO_MANY_REQUESTS,
	TOO_MANY_CODES: TENANT_AUTH_ERROR_CODES.TOO_MANY_CODES,
	SHARE_EXCEEDED: TENANT_AUTH_ERROR_CODES.SHARE_EXCEEDED,
};

type Refusal = { code?: keyof typeof REFUSALS; owner?: Owner };

/** Session tokens are looked up in the same storage, and none contains a dot. */
const PREFIX = "limit.";

/** Counts one request. Throws 429 above the limit, and 503 if it cannot be counted. */
export const refuseIfLate = async (
	count: CountInWindow,
	key: string,
	{ code = "TOO_MANY_REQUESTS", owner }: Refusal = {},
): Promise<void> => {
	const seconds = await count(`${PREFIX}${key}`, owner).catch(() => {
		throw new APIError("SERVICE_UNAVAILABLE", TENANT_AUTH_ERROR_CODES.STORE_UNAVAILABLE, headers(1));
	});
	if (seconds > 0) throw new APIError("TOO_MANY_REQUESTS", REFUSALS[code], headers(seconds));
};

const headers = (seconds: number) => ({
	"cache-control": "no-store",
	"retry-after": String(seconds),
	// the engine's own header, which its client reads
	"x-retry-after": String(seconds),
});
