import { AsyncLocalStorage } from "node:async_hooks";

export type RequestContext = {
	requestId: string;
	/** what stands in the path for the tenant, where the path says it */
	tenantSlug: string | null;
	/** known once the engine has pinned the request */
	tenantId: string | null;
	/** the social provider that the request is about; one of the engine's own names */
	provider: string | null;
};

const storage = new AsyncLocalStorage<RequestContext>();

/** The HTTP request that this code runs for; undefined outside of any. */
export const currentRequest = (): RequestContext | undefined => storage.getStore();

/** Runs `work` for a request: everything it calls and awaits finds it by `currentRequest()`. */
export const runInRequest = <Result>(context: RequestContext, work: () => Result): Result => storage.run(context, work);

/** Runs `work` for no request, although one may have caused it. */
export const outsideRequest = <Result>(work: () => Result): Result => storage.exit(work);
