import type { AuthContext, BetterAuthOptions, BetterAuthPlugin } from "@better-auth/core";

/**
 * Options as a router that is built once sees them. It calls the plugins with the context that it was built with, which is
 * none of a request, so these plugins receive the context of the running request instead.
 */
export const createOptionsView = (current: () => AuthContext) => {
	const viewPlugins = remembered((plugins: BetterAuthPlugin[]) =>
		plugins.map((plugin) => withCurrentContext(plugin, current)),
	);
	const viewOptions = remembered(
		(options: BetterAuthOptions): BetterAuthOptions =>
			options.plugins ? { ...options, plugins: viewPlugins(options.plugins) } : options,
	);
	return viewOptions;
};

/** Created from the plugin, so that everything else of it stays as it is. */
const withCurrentContext = (plugin: BetterAuthPlugin, current: () => AuthContext): BetterAuthPlugin =>
	Object.create(plugin, {
		...(plugin.onRequest && { onRequest: { value: (request: Request) => plugin.onRequest?.(request, current()) } }),
		...(plugin.onResponse && {
			onResponse: { value: (response: Response) => plugin.onResponse?.(response, current()) },
		}),
	});

const remembered = <Key extends object, Value>(create: (key: Key) => Value) => {
	const known = new WeakMap<Key, Value>();
	return (key: Key): Value => {
		const found = known.get(key) ?? create(key);
		known.set(key, found);
		return found;
	};
};
