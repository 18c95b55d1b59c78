import { BetterAuthError } from "@better-auth/core/error";

/** The id of `tenantAuth()`. Services belong to it. */
export const PLUGIN_ID = "tenant-auth";

type Context = { context: object };
type Services = Record<string, unknown>;
type WithServices = { tenantAuth?: Services };

/**
 * Something that the plugin builds once for each instance of Better Auth: a store, a guard, a setting. The file that knows its
 * type defines it, and whoever needs it imports that file only. Nobody imports a list of all of them.
 *
 * @example
 * ```ts
 * export const domainsOf = defineService<ManagedDomains>("domains");
 * await domainsOf(ctx).list(tenantId);
 * ```
 */
export type Service<Value> = {
	/** Throws if nobody has provided it, because nothing would be isolated then. */
	(ctx: Context): Value;
	/** The same, or undefined. For what only an optional plugin provides. */
	find: (ctx: Context) => Value | undefined;
	/** Hands it over when `tenantAuth()` starts. */
	as: (value: Value) => Provided;
	/** Adds it when another plugin of this package starts. */
	provide: (ctx: Context, value: Value) => void;
};

export type Provided = readonly [name: string, value: unknown];

const inContext = ({ context }: Context): Services => {
	const { tenantAuth } = context as WithServices;
	if (!tenantAuth)
		throw new BetterAuthError("tenantAuth: the context of Better Auth was replaced, so tenants cannot be isolated");
	return tenantAuth;
};

/** The name is what the value is stored under, so no two services have the same one. */
export const defineService = <Value>(name: string): Service<Value> => {
	const find = ({ context }: Context): Value | undefined =>
		(context as WithServices).tenantAuth?.[name] as Value | undefined;
	const get = (ctx: Context): Value => {
		const services = inContext(ctx);
		// a mistake of this package, not of whoever installs it
		if (!(name in services)) throw new Error(`The plugin that provides "${name}" is not installed.`);
		return services[name] as Value;
	};
	return Object.assign(get, {
		find,
		as: (value: Value): Provided => [name, value],
		provide: (ctx: Context, value: Value): void => {
			inContext(ctx)[name] = value;
		},
	});
};

/** All services of an instance, as the context keeps them. */
export const provideAll = (provided: readonly Provided[]): Services => Object.fromEntries(provided);

/** Whether a context has `tenantAuth()`, started. */
export const hasServices = (context: object): boolean => (context as WithServices).tenantAuth !== undefined;

/** A Better Auth instance with `tenantAuth()`. */
export type RunningAuth = { $context: PromiseLike<object> };

/** The context of an instance, to ask for its services. */
export const contextOf = async (auth: RunningAuth): Promise<Context> => {
	const context = await auth.$context;
	if (!hasServices(context))
		throw new BetterAuthError("This Better Auth instance has no tenantAuth(). Add it to `plugins`.");
	return { context };
};
