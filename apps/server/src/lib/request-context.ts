import { AsyncLocalStorage } from "node:async_hooks";

export type RequestContext = {
	requestId: string;
	/** the tenant's slug in the path, if there is one */
	tenantSlug: string | null;
	/** set when the engine has pinned the request */
	tenantId: string | null;
	/** the social provider of the request; one of Better Auth's names */
	provider: string | null;
};

const storage = new AsyncLocalStorage<RequestContext>();

/** The current HTTP request; undefined outside of one. */
export const currentRequest = (): RequestContext | undefined => storage.getStore();

/** Runs `work` in the context of a request, which `currentRequest()` returns. */
export const runInRequest = <Result>(context: RequestContext, work: () => Result): Result => storage.run(context, work);

/** Runs `work` outside of the current request. */
export const outsideRequest = <Result>(work: () => Result): Result => storage.exit(work);
