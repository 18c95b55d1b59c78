import { getRequestStateAsyncLocalStorage, runWithRequestState } from "@better-auth/core/context";

let storage: Awaited<ReturnType<typeof getRequestStateAsyncLocalStorage>> | undefined;

/** Await this once, before the first request. */
export const requestStateReady = getRequestStateAsyncLocalStorage().then((found) => {
	storage = found;
});

/**
 * The engine's state of the running request. Each HTTP request or outermost `auth.api` call has one, shared by everything that runs
 * inside. Undefined outside of a request. Synchronous, unlike the engine's accessors: column defaults, session tokens and hook
 * matchers are computed synchronously.
 */
export const requestState = (): WeakMap<object, unknown> | undefined => storage?.getStore();

/** Runs code in a request state of its own that begins with these values. */
export const runInState = async <Result>(
	values: [object, unknown][],
	run: () => Result | Promise<Result>,
): Promise<Result> => runWithRequestState(new WeakMap(values), run);
