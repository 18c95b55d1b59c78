import type { AuthContext, BetterAuthOptions, BetterAuthPlugin } from "@better-auth/core";
import { forwardTo } from "./forwarding-proxy.ts";

type Middleware = NonNullable<BetterAuthPlugin["middlewares"]>[number];

/**
 * Options as a router that is built once sees them. It calls plugins and `onError` with the context that it was built with,
 * which is none of a request, so these receive the context of the running request instead.
 *
 * Nothing is copied: a getter may return something else for each tenant, and an application may change its options.
 */
export const createOptionsView = (current: () => AuthContext) => {
	const viewPlugin = remembered((plugin: BetterAuthPlugin) => withCurrentContext(plugin, current));
	return remembered((options: BetterAuthOptions): BetterAuthOptions => {
		const find = () => options;
		return forwardTo(find, (read, name) => {
			if (name === "plugins") return read.plugins?.map(viewPlugin);
			return name === "onAPIError" ? reportingCurrent(read.onAPIError, current) : Reflect.get(read, name);
		});
	});
};

const withCurrentContext = (plugin: BetterAuthPlugin, current: () => AuthContext): BetterAuthPlugin =>
	forwardTo(
		() => plugin,
		(read, name) => {
			if (name === "onRequest" && read.onRequest) return (request: Request) => read.onRequest?.(request, current());
			if (name === "onResponse" && read.onResponse)
				return (response: Response) => read.onResponse?.(response, current());
			if (name === "middlewares") return read.middlewares?.map((entry) => withOwnOptions(entry, current));
			return Reflect.get(read, name);
		},
	);

/** The engine passes a copy of the context, with the options that the router sees. */
const withOwnOptions = (entry: Middleware, current: () => AuthContext): Middleware => {
	const middleware: typeof entry.middleware = Object.assign(
		(input: Parameters<typeof entry.middleware>[0]) => {
			// not in the type of the input
			const context = { ...Reflect.get(input, "context"), options: current().options };
			return entry.middleware({ ...input, ...{ context } });
		},
		{ options: entry.middleware.options },
	);
	return { path: entry.path, middleware };
};

const reportingCurrent = (
	reporting: BetterAuthOptions["onAPIError"],
	current: () => AuthContext,
): BetterAuthOptions["onAPIError"] =>
	reporting &&
	forwardTo(
		() => reporting,
		(read, name) =>
			name === "onError" && read.onError
				? (error: unknown) => read.onError?.(error, current())
				: Reflect.get(read, name),
	);

const remembered = <Key extends object, Value>(create: (key: Key) => Value) => {
	const known = new WeakMap<Key, Value>();
	return (key: Key): Value => {
		const found = known.get(key) ?? create(key);
		known.set(key, found);
		return found;
	};
};
