import { getRequestStateAsyncLocalStorage } from "@better-auth/core/context";

type State<Value> = { readonly ref: object; get(): Promise<Value> };

let storage: Awaited<ReturnType<typeof getRequestStateAsyncLocalStorage>> | undefined;

/** Awaited once, before the first request. */
export const requestStateReady = getRequestStateAsyncLocalStorage().then((found) => {
	storage = found;
});

/**
 * What the running request keeps, without the engine's accessors: they are async, and defaults of columns, session tokens
 * and the matchers of hooks are computed synchronously. Undefined where nothing was kept, and outside of any request.
 */
export const peekState = <Value>(state: State<Value>): Value | undefined => storage?.getStore()?.get(state.ref);
