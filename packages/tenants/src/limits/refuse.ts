import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import type { CountInWindow } from "./count-in-window.ts";
import type { Owner } from "./windows.ts";

type Refusal = "TOO_MANY_REQUESTS" | "TOO_MANY_CODES" | "SHARE_EXCEEDED";

/** Session tokens are looked up in the same storage, and none contains a dot. */
const PREFIX = "limit.";

/** Counts one request. Throws 429 above the limit, and 503 if it cannot be counted. */
export const refuseIfLate = async (
	count: CountInWindow,
	key: string,
	{ code = "TOO_MANY_REQUESTS", owner }: { code?: Refusal; owner?: Owner } = {},
): Promise<void> => {
	const seconds = await count(`${PREFIX}${key}`, owner).catch(() => {
		throw refusal("SERVICE_UNAVAILABLE", "STORE_UNAVAILABLE", 1);
	});
	if (seconds > 0) throw refusal("TOO_MANY_REQUESTS", code, seconds);
};

const refusal = (
	status: "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS",
	code: "STORE_UNAVAILABLE" | Refusal,
	seconds: number,
): APIError =>
	new APIError(status, TENANT_AUTH_ERROR_CODES[code], {
		"cache-control": "no-store",
		"retry-after": String(seconds),
		// the engine's own header, which its client reads
		"x-retry-after": String(seconds),
	});
