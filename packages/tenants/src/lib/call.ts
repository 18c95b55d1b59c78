import { AsyncLocalStorage } from "node:async_hooks";

/** What one purpose knows of the running call. */
export type CallPart<Value> = {
	/** Runs `fn`, and whatever it starts, with this value. Calls may nest, and run at the same time in one request. */
	run: <Result>(value: Value, fn: () => Result) => Result;
	/** The same without a value. */
	exit: <Result>(fn: () => Result) => Result;
	/** The value of the innermost call; undefined outside of one. */
	now: () => Value | undefined;
};

/** By part. Never changed: a call that nests has a copy, which does not keep what it replaces alive. */
type Call = ReadonlyMap<object, unknown>;

const calls = new AsyncLocalStorage<Call>();

/**
 * Defines what code knows for as long as a call lasts. What belongs to a request is in its record (`scope/pin/request-record.ts`)
 * instead. A call begins where there is no record yet, or is one of several in a request.
 */
export const defineCallPart = <Value>(): CallPart<Value> => {
	const key = {};
	const running = <Result>(value: Value | undefined, fn: () => Result): Result =>
		calls.run(new Map(calls.getStore()).set(key, value), fn);
	return {
		run: running,
		exit: (fn) => running(undefined, fn),
		now: () => calls.getStore()?.get(key) as Value | undefined,
	};
};
