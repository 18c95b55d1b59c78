import { createAuthMiddleware } from "@better-auth/core/api";
import { originCheckMiddleware } from "better-auth/api";
import type { Endpoint } from "better-call";
import { leanEndpoint } from "./lean-endpoint.ts";

type Middleware = { options?: { use?: unknown[] | undefined } };

/** Better Auth gives these to everything that it creates with `createAuthMiddleware`. They return nothing. */
const NO_OPS: ReadonlySet<unknown> = new Set(createAuthMiddleware(async () => {}).options.use);

/**
 * Makes the endpoints of a router faster: removes middleware that does nothing. Each builds a context with headers and parsed
 * cookies, so a session check built five contexts instead of two. Nothing else of an endpoint changes.
 *
 * It changes what Better Auth shares between instances, which is safe because what it removes has no effect. For versions that
 * were tested only.
 */
export const leanRouter = (endpoints: Iterable<Pick<Endpoint, "options">>): void => {
	leanMiddleware(originCheckMiddleware);
	for (const endpoint of endpoints) {
		endpoint.options.use?.forEach(leanMiddleware);
		leanEndpoint(endpoint);
	}
};

const leanMiddleware = (middleware: object): void => {
	const { options } = middleware as Middleware;
	// one that has nothing to remove is not written to: it may be frozen, and of another library
	if (options?.use?.some((middleware) => NO_OPS.has(middleware)))
		options.use = options.use.filter((middleware) => !NO_OPS.has(middleware));
};
