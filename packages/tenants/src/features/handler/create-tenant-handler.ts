import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { runWithAdapter } from "@better-auth/core/context";
import { isTestedEngine, NEWEST_TESTED } from "../../engine/tested-versions.ts";
import { createCachedRouter, type Handler } from "./cached-router.ts";
import { createRequestContext } from "./request-context.ts";
import { createRunningContext } from "./running-context.ts";

/** What the handler uses of a Better Auth instance. */
type ServedAuth = { handler: Handler; options: object; $context: PromiseLike<object> };

/**
 * Serves the same as `auth.handler`, faster: Better Auth builds its router and all endpoints for each request, and this
 * builds them once. All checks, limits, hooks and plugins of Better Auth run as before.
 *
 * With a version of Better Auth that this package was not tested with, it uses `auth.handler` and logs that once.
 *
 * Pass what `betterAuth` returned, and wrap the result: a function that your code put in place of `auth.handler` is not called.
 *
 * @example
 * ```ts
 * const handler = createTenantHandler(auth);
 * serve({ fetch: handler });
 * ```
 */
export const createTenantHandler = (auth: ServedAuth): Handler => {
	const handler = handlers.get(auth) ?? startWithFirstRequest(auth);
	handlers.set(auth, handler);
	return handler;
};

/** An application that calls `createTenantHandler` in each request still has one router. */
const handlers = new WeakMap<ServedAuth, Handler>();

const startWithFirstRequest = (auth: ServedAuth): Handler => {
	let serve: Handler | undefined;
	return async (request) => {
		const context = (await auth.$context) as AuthContext;
		// after the await, or each request that comes before the instance is ready would build a router
		serve ??= chooseHandler(auth, context);
		return serve(request);
	};
};

const chooseHandler = (auth: ServedAuth, context: AuthContext): Handler => {
	if (!isTestedEngine(context.version)) {
		context.logger.warn(
			`createTenantHandler: better-auth ${context.version} is newer than ${NEWEST_TESTED}, the last version that this handler was tested with, so requests use auth.handler. Update better-auth-tenants to make them faster.`,
		);
		return (request) => auth.handler(request);
	}
	const options = auth.options as BetterAuthOptions;
	const running = createRunningContext();
	const findRouter = createCachedRouter(options, running);
	return async (request) => {
		const own = await createRequestContext(context, options, request);
		return running.run(own, () => runWithAdapter(own.adapter, () => findRouter()(request)));
	};
};
