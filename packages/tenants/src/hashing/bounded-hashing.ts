import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { defineRequestState } from "@better-auth/core/context";
import { APIError } from "@better-auth/core/error";
import { endpointOf } from "../engine/endpoints.ts";
import { peekState } from "../engine/request-state.ts";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import type { CurrentTenant } from "../schema.ts";
import { createFairTurns } from "./fair-turns.ts";

export type HashingOptions = {
	/**
	 * Password hashes computed at the same time, by one process. More than the cores and threads there are only makes each
	 * of them slower, and everybody else wait: session checks need one of Node's threads as well.
	 * @default one for each core, and at most one less than the threads that Node has (`UV_THREADPOOL_SIZE`, or 4)
	 */
	concurrency?: number;
	/**
	 * How many of one tenant's requests may wait for a hash; the next one is answered 503 `HASHING_BUSY`.
	 * @default 100
	 */
	maxQueuePerTenant?: number;
	/**
	 * Seconds that a request may wait for its hash before it is answered 503 `HASHING_BUSY`.
	 * @default 10
	 */
	maxWait?: number;
};

type Password = AuthContext["password"];

const busy = (): APIError =>
	new APIError("SERVICE_UNAVAILABLE", TENANT_AUTH_ERROR_CODES.HASHING_BUSY, { "retry-after": "1" });

type Line = { leave: (() => void) | null };

/** On the context that the engine makes for an HTTP request, and on each copy of it. */
const LINE = Symbol("line");

/** Begins a request: nobody stands in a line yet. */
export const beginRequest = (context: object): void => {
	Object.assign(context, { [LINE]: { leave: null } satisfies Line });
};

/** Ends a request, however it was answered: who never came to hash gives his place back. */
export const endRequest = (context: object): void => leaveLine(lineOf(context));

const lineOf = (context: object): Line | undefined => (LINE in context ? (context[LINE] as Line) : undefined);

const leaveLine = (line: Line | null | undefined): void => {
	if (!line) return;
	line.leave?.();
	line.leave = null;
};

/** The same, where there is no context: hashing. */
const ofRequest = defineRequestState<Line | null>(() => null);

/**
 * The engine's hashing, bounded: hashes are slow on purpose (scrypt: 100 ms), so whoever sends many passwords would use
 * up the processor for everyone. Tenants take turns; what waits too long, or behind too many of its own, is shed, and what
 * would have to be shed is refused before it has cost a statement: a crowd at the database makes everybody wait. Therefore
 * a place is taken as soon as the tenant is known; of a thousand who come at once, none has got as far as the line.
 */
export const boundHashing = (
	password: Password,
	options: Required<HashingOptions>,
	currentTenant: CurrentTenant,
): {
	password: Password;
	standInLine: (ctx: GenericEndpointContext) => Promise<void>;
	/** whether anybody waits, and whether the next request of a tenant would be shed */
	line: { isEmpty: () => boolean; isFull: (tenantId: string) => boolean };
} => {
	const turns = createFairTurns({
		concurrency: options.concurrency,
		maxQueuePerGroup: options.maxQueuePerTenant,
		maxWait: options.maxWait * 1_000,
	});
	const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		leaveLine(peekState(ofRequest));
		const outcome = await turns.inTurn(currentTenant(), work);
		if ("result" in outcome) return outcome.result;
		throw busy();
	};
	return {
		line: { isEmpty: turns.isEmpty, isFull: turns.isFull },
		password: {
			...password,
			hash: (plain) => inTurn(() => password.hash(plain)),
			verify: (data) => inTurn(() => password.verify(data)),
		},
		standInLine: async ({ path, context }) => {
			const line = lineOf(context);
			// the server's own calls have no end that could be told, and so take no place before they hash
			if (!endpointOf(path).hashesPassword || !line || line.leave) return;
			const place = turns.keepPlace(currentTenant());
			if (!place) throw busy();
			line.leave = () => turns.leave(place);
			await ofRequest.set(line);
		},
	};
};
