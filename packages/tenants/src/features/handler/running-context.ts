import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { defineCallPart } from "../../lib/call.ts";
import { forwardTo } from "./forwarding-proxy.ts";
import { createOptionsView } from "./plugins-view.ts";

export type RunningContext = ReturnType<typeof createRunningContext>;

/** The context of the running request, and one object that stands for it in a router that is built once. */
export const createRunningContext = () => {
	const running = defineCallPart<AuthContext>();
	const current = (): AuthContext => {
		const context = running.now();
		// neither another request's context nor the one that all requests copy
		if (!context)
			throw new BetterAuthError(
				"createTenantHandler: a request lost its async context. Bind the callback that continues it with `AsyncLocalStorage.bind`.",
			);
		return context;
	};
	const viewOptions = createOptionsView(current);
	return {
		run: <Result>(context: AuthContext, fn: () => Result): Result => running.run(context, fn),
		current,
		viewOptions,
		standIn: standInFor(current, viewOptions),
	};
};

/** Awaiting it returns the request's own context. That is what the engine then passes to endpoints and middleware. */
const standInFor = (current: () => AuthContext, viewOptions: ReturnType<typeof createOptionsView>): AuthContext =>
	forwardTo(current, (context, name) => {
		if (name === "then") return thenOf(context);
		return name === "options" ? viewOptions(context.options) : Reflect.get(context, name);
	});

/** Of the request that awaits: not every runtime calls `then` in the async context of the await. */
const thenOf =
	(context: AuthContext): Promise<AuthContext>["then"] =>
	(resolve, reject) =>
		Promise.resolve(context).then(resolve, reject);
