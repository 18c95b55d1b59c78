import { AsyncLocalStorage } from "node:async_hooks";
import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { createOptionsView } from "./plugins-view.ts";

export type RunningContext = ReturnType<typeof createRunningContext>;

/** The context of the running request, and one object that stands for it in a router that is built once. */
export const createRunningContext = () => {
	const running = new AsyncLocalStorage<AuthContext>();
	const current = (): AuthContext => {
		const context = running.getStore();
		// neither another request's context nor the one that all requests copy
		if (!context)
			throw new BetterAuthError(
				"createTenantHandler: a request lost its async context. Bind the callback that continues it with `AsyncLocalStorage.bind`.",
			);
		return context;
	};
	return {
		run: <Result>(context: AuthContext, fn: () => Result): Result => running.run(context, fn),
		current,
		standIn: forwardTo(current),
	};
};

/** Awaiting it returns the request's own context. That is what the engine then passes to endpoints and middleware. */
const forwardTo = (current: () => AuthContext): AuthContext => {
	const viewOptions = createOptionsView(current);
	const then: Promise<AuthContext>["then"] = (resolve, reject) => Promise.resolve(current()).then(resolve, reject);
	return new Proxy({} as AuthContext, {
		get: (_, name) => {
			if (name === "then") return then;
			const context = current();
			return name === "options" ? viewOptions(context.options) : Reflect.get(context, name);
		},
		set: (_, name, value) => Reflect.set(current(), name, value),
		has: (_, name) => Reflect.has(current(), name),
		deleteProperty: (_, name) => Reflect.deleteProperty(current(), name),
		defineProperty: (_, name, property) => Reflect.defineProperty(current(), name, property),
		ownKeys: () => Reflect.ownKeys(current()),
		getPrototypeOf: () => Reflect.getPrototypeOf(current()),
		getOwnPropertyDescriptor: (_, name) => {
			const property = Reflect.getOwnPropertyDescriptor(current(), name);
			// a proxy may not report a fixed property that its target lacks
			return property && { ...property, configurable: true };
		},
	});
};
