import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { runWithAdapter } from "@better-auth/core/context";
import { isTestedEngine, NEWEST_TESTED } from "../engine/tested-versions.ts";
import { createKeptRouter, type Handler } from "./kept-router.ts";
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
 * @example
 * ```ts
 * const handler = createTenantHandler(auth);
 * serve({ fetch: handler });
 * ```
 */
export const createTenantHandler = (auth: ServedAuth): Handler => {
	let serve: Handler | undefined;
	return async (request) => {
		serve ??= chooseHandler(auth, (await auth.$context) as AuthContext);
		return serve(request);
	};
};

const chooseHandler = (auth: ServedAuth, context: AuthContext): Handler => {
	if (!isTestedEngine(context.version)) {
		context.logger.warn(
			`createTenantHandler: better-auth ${context.version} is newer than ${NEWEST_TESTED}, the last version that this handler was tested with, so requests use auth.handler. Update better-auth-tenants to make them faster.`,
		);
		return auth.handler;
	}
	const options = auth.options as BetterAuthOptions;
	const running = createRunningContext();
	const findRouter = createKeptRouter(options, running);
	return async (request) => {
		const own = await createRequestContext(context, options, request);
		return running.run(own, () => runWithAdapter(own.adapter, () => findRouter()(request)));
	};
};
