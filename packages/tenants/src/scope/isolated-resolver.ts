import { AsyncLocalStorage } from "node:async_hooks";
import { runWithRequestState } from "@better-auth/core/context";
import type { ResolveTenantId } from "../resolve/hint.ts";

const resolving = new AsyncLocalStorage<true>();

/** Runs a lookup of the application in the same way. Returns null inside of a resolver. */
export const isolated = async <Result>(run: () => Result | Promise<Result>): Promise<Result | null> =>
	resolving.getStore() ? null : resolving.run(true, () => runWithRequestState(new WeakMap(), async () => run()));

/**
 * Runs the application's resolver in a separate request state. The resolver may call `auth.api`, for example to find a
 * tenant by its slug. Such a call must not pin the request, and does not call the resolver again.
 */
export const isolateResolver =
	(resolve: ResolveTenantId): ResolveTenantId =>
	(request) =>
		isolated(() => resolve(request));
