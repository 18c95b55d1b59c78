import { AsyncLocalStorage } from "node:async_hooks";
import { runWithRequestState } from "@better-auth/core/context";
import type { ResolveTenantId } from "../resolve/hint.ts";

const resolving = new AsyncLocalStorage<true>();

/**
 * The application's resolver, in a request state of its own: it may call `auth.api` (to find a tenant by its slug, say),
 * and such a call must not pin the request that is being resolved. Inside of it the resolver is not asked again.
 */
export const isolateResolver =
	(resolve: ResolveTenantId): ResolveTenantId =>
	async (request) =>
		resolving.getStore()
			? null
			: resolving.run(true, () => runWithRequestState(new WeakMap(), async () => resolve(request)));
