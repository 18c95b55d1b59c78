import type { AuthContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import type { CurrentTenant } from "../schema.ts";
import { createFairTurns } from "./fair-turns.ts";

export type HashingOptions = {
	/**
	 * Password hashes computed at the same time, by one process. More than the cores and threads there are only makes each
	 * of them slower.
	 * @default 4, the threads Node has for them
	 */
	atOnce?: number;
	/**
	 * How many of one tenant's requests may wait for a hash; the next one is answered 503 `HASHING_BUSY`.
	 * @default 100
	 */
	waitingPerTenant?: number;
	/**
	 * Seconds that a request may wait for its hash before it is answered 503 `HASHING_BUSY`.
	 * @default 10
	 */
	maxWait?: number;
};

type Password = AuthContext["password"];

/**
 * The engine's hashing, bounded: hashes are slow on purpose (scrypt: 100 ms), so whoever sends many passwords would use
 * up the processor for everyone. Tenants take turns; what waits too long, or behind too many of its own, is shed.
 */
export const boundHashing = (
	password: Password,
	options: Required<HashingOptions>,
	currentTenant: CurrentTenant,
): Password => {
	const turns = createFairTurns({
		atOnce: options.atOnce,
		waitingPerGroup: options.waitingPerTenant,
		maxWait: options.maxWait * 1_000,
	});
	const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		const outcome = await turns(currentTenant(), work);
		if ("result" in outcome) return outcome.result;
		throw new APIError("SERVICE_UNAVAILABLE", TENANT_AUTH_ERROR_CODES.HASHING_BUSY, { "retry-after": "1" });
	};
	return {
		...password,
		hash: (plain) => inTurn(() => password.hash(plain)),
		verify: (data) => inTurn(() => password.verify(data)),
	};
};
