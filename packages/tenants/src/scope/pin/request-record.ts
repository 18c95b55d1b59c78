import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import { requestState, runInState } from "../../engine/request-state.ts";

/**
 * What this package remembers of one request, by part. It begins with an HTTP request, before the engine has a state for it, and
 * outlives that state: an error that nobody catches ends the state before the response. A call of `auth.api` begins it with the first
 * part.
 */
type RequestRecord = Map<object, unknown>;

/** What one folder remembers of a request. */
export type Part<Value> = {
	/** Of the running request. Begins with the first call. Undefined outside of a request. */
	now: () => Value | undefined;
	/** The same, if it has begun: for what runs in every request. */
	peek: () => Value | undefined;
	/** Of an HTTP request, by its context: before the engine has a state for it, and after it has ended. */
	of: (context: object) => Value | undefined;
};

/** Defines what a request remembers. The value is changed in place. */
export const definePart = <Value>(begin: () => Value): Part<Value> => {
	const key = {};
	const readIn = (record: RequestRecord | undefined): Value | undefined => {
		if (record && !record.has(key)) record.set(key, begin());
		return record?.get(key) as Value | undefined;
	};
	return {
		now: () => readIn(runningRecord()),
		peek: () => knownRecord()?.get(key) as Value | undefined,
		of: (context) => readIn(recordOf(context)),
	};
};

/** Whether there is a request. Server code that uses the adapter or a password hash has none. */
export const isInRequest = (): boolean => requestState() !== undefined;

/** Where the record is: in the engine's state, and on the context of an HTTP request and on each copy of it. */
const RECORD = Symbol("request-record");

/** Begins the record of an HTTP request. Endpoints receive copies of its context. */
export const beginRecord = (context: object): void => {
	Object.assign(context, { [RECORD]: new Map() satisfies RequestRecord });
};

const recordOf = (context: object | undefined): RequestRecord | undefined =>
	context && RECORD in context ? (context[RECORD] as RequestRecord) : undefined;

const HERE = {};

const knownRecord = (): RequestRecord | undefined => requestState()?.get(HERE) as RequestRecord | undefined;

const runningRecord = (): RequestRecord | undefined => {
	const state = requestState();
	if (!state) return undefined;
	const record: RequestRecord = knownRecord() ?? recordOf(tryGetCurrentAuthEndpointContext()?.context) ?? new Map();
	state.set(HERE, record);
	return record;
};

/** What of the application runs inside a request as one of its own. */
type Apart = "resolver" | "audit";

const apart = definePart<Set<Apart>>(() => new Set());

/** Whether such code runs. */
export const isApart = (what: Apart): boolean => apart.peek()?.has(what) ?? false;

/** Ends that early: what the code has left running is a request like any other. */
export const endApart = (what: Apart): void => {
	apart.peek()?.delete(what);
};

/**
 * Runs code of the application as a request of its own. It may call `auth.api`, and such a call must neither see nor pin the request
 * that it runs in.
 */
export const runApart = <Result>(what: Apart, run: () => Result | Promise<Result>): Promise<Result> => {
	const known = apart.peek() ?? [];
	return runInState([[HERE, new Map() satisfies RequestRecord]], () => {
		for (const one of [...known, what]) apart.now()?.add(one);
		return run();
	});
};
