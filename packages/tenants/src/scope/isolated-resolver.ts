import { AsyncLocalStorage } from "node:async_hooks";
import { runWithRequestState } from "@better-auth/core/context";
import type { ResolveTenantId } from "../resolve/hint.ts";

const resolving = new AsyncLocalStorage<true>();

/** Whether a resolver is running. What it calls belongs to no host and no tenant. */
export const isResolving = (): boolean => resolving.getStore() === true;

/**
 * Runs a lookup of the application in a separate request state. It may call `auth.api`, for example to find a tenant by
 * its slug. Such a call must not pin the request, and does not resolve a tenant itself.
 */
export const isolated = async <Result>(run: () => Result | Promise<Result>): Promise<Result | null> =>
	isResolving() ? null : resolving.run(true, () => runWithRequestState(new WeakMap(), async () => run()));

/** The same for the application's resolver. */
export const isolateResolver =
	(resolve: ResolveTenantId): ResolveTenantId =>
	(request) =>
		isolated(() => resolve(request));
