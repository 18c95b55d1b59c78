import { getRequestStateAsyncLocalStorage } from "@better-auth/core/context";

type State<Value> = { readonly ref: object; get(): Promise<Value> };

let storage: Awaited<ReturnType<typeof getRequestStateAsyncLocalStorage>> | undefined;

/** Await this once, before the first request. */
export const requestStateReady = getRequestStateAsyncLocalStorage().then((found) => {
	storage = found;
});

/**
 * Reads a state of the running request synchronously. The engine's accessors are async, but column defaults, session
 * tokens and hook matchers are computed synchronously. Undefined if the state is not set, and outside of a request.
 */
export const peekState = <Value>(state: State<Value>): Value | undefined => storage?.getStore()?.get(state.ref);
