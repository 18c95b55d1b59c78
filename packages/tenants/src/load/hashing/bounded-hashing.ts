import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { defineService } from "../../engine/service.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { createFairTurns } from "../../lib/fair-turns.ts";
import type { CurrentTenant } from "../../scope/data/schema.ts";
import { definePart } from "../../scope/pin/request-record.ts";

/**
 * Bounds password hashing, which is slow on purpose. Tenants take turns, and requests that would wait too long return 503.
 * Applies to the platform too.
 *
 * @example
 * ```ts
 * tenantAuth({ hashing: { concurrency: 3, maxQueuePerTenant: 50, maxWait: 5 } });
 * ```
 */
export type HashingOptions = {
	/**
	 * Password hashes that one process computes at the same time. More than the available cores and threads make every hash
	 * slower and delay session checks, which also need one of Node's threads.
	 * @default one per core, and at most one less than Node's threads (`UV_THREADPOOL_SIZE`, or 4)
	 */
	concurrency?: number;
	/**
	 * Requests of one tenant that may wait for a hash. The next one returns 503 `HASHING_BUSY`.
	 * @default 100
	 */
	maxQueuePerTenant?: number;
	/**
	 * Seconds that a request may wait for a hash. After that it returns 503 `HASHING_BUSY`.
	 * @default 10
	 */
	maxWait?: number;
};

type Password = AuthContext["password"];

const busy = (): APIError =>
	new APIError("SERVICE_UNAVAILABLE", TENANT_AUTH_ERROR_CODES.HASHING_BUSY, { "retry-after": "1" });

/** The place of a request in the queue, until it hashes. */
type Line = { leave: (() => void) | null };

const line = definePart<Line>(() => ({ leave: null }));

/** Ends a request. Releases its place in the queue if it never hashed a password. */
export const endRequest = (context: object): void => leaveLine(line.of(context));

const leaveLine = (kept: Line | undefined): void => {
	if (!kept) return;
	kept.leave?.();
	kept.leave = null;
};

/**
 * Bounds the engine's password hashing. A hash is slow on purpose (scrypt: 100 ms), so many passwords of one tenant would use
 * up the processor for all. Tenants take turns. A request that would wait too long, or behind too many of its own tenant, is
 * shed before it costs a statement. Therefore it takes a place in the queue as soon as its tenant is known: of a thousand
 * concurrent requests, none has reached the hash by then.
 */
export const boundHashing = (
	password: Password,
	options: Required<HashingOptions>,
	currentTenant: CurrentTenant,
): {
	password: Password;
	standInLine: (ctx: GenericEndpointContext) => Promise<void>;
	/** whether the queue is empty, and whether the next request of a tenant would be shed */
	line: { isEmpty: () => boolean; isFull: (tenantId: string) => boolean };
	/** how many hashes are computed, and how many requests wait for one */
	counts: () => { running: number; waiting: number };
} => {
	const turns = createFairTurns({
		concurrency: options.concurrency,
		maxQueuePerGroup: options.maxQueuePerTenant,
		maxWait: options.maxWait * 1_000,
	});
	const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		leaveLine(line.peek());
		const outcome = await turns.inTurn(currentTenant(), work);
		if ("result" in outcome) return outcome.result;
		throw busy();
	};
	return {
		line: { isEmpty: turns.isEmpty, isFull: turns.isFull },
		counts: turns.counts,
		password: {
			...password,
			hash: (plain) => inTurn(() => password.hash(plain)),
			verify: (data) => inTurn(() => password.verify(data)),
		},
		standInLine: async ({ context }) => {
			const kept = line.of(context);
			// calls of server code have no end that is signaled, so they take no place before they hash
			if (!kept || kept.leave) return;
			const place = turns.keepPlace(currentTenant());
			if (!place) throw busy();
			kept.leave = () => turns.leave(place);
		},
	};
};

/** The engine's own hash functions, below the queue and what plugins add. */
export const enginePasswordOf = defineService<AuthContext["password"]>("enginePassword");
