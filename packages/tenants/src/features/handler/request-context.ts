import type { AuthContext, BaseURLConfig, BetterAuthOptions } from "@better-auth/core";
import { env } from "@better-auth/core/env";
import { BetterAuthError } from "@better-auth/core/error";
import { getBaseURL, getOrigin, isDynamicBaseURLConfig, resolveBaseURL } from "better-auth";
import { createCookieGetter, getCookies } from "better-auth/cookies";
import { derivedOrigins } from "../../scope/tenants/trusted-origins.ts";

/**
 * The context that the engine's own handler creates for each request: a copy, because plugins write to it, with what depends
 * on the request. The engine does not export this step. A test compares every field with what the engine creates.
 */
export const createRequestContext = async (
	context: AuthContext,
	given: BetterAuthOptions,
	request: Request,
): Promise<AuthContext> => {
	const own = copyOf(context);
	const { options } = context;
	const dynamic = isDynamicBaseURLConfig(given.baseURL);
	if (dynamic || !options.baseURL) {
		own.baseURL = dynamic ? dynamicBaseURL(options, request) : requestedBaseURL(options, request);
		own.options = { ...options, baseURL: getOrigin(own.baseURL) ?? undefined };
	}
	own.trustedOrigins = await trustedOrigins(own.options, dynamic ? options.baseURL : own.options.baseURL, request);
	own.trustedProviders = await trustedProviders(options, request);
	if (dynamic && options.advanced?.crossSubDomainCookies?.enabled) {
		own.authCookies = getCookies(own.options);
		own.createAuthCookie = createCookieGetter(own.options);
	}
	return own;
};

const plain = new WeakMap<AuthContext, boolean>();

/** Copying property descriptors takes ten times as long as copying values, and is needed only if a plugin added such ones. */
const copyOf = (context: AuthContext): AuthContext => {
	const isPlain = plain.get(context) ?? hasOnlyValues(context);
	plain.set(context, isPlain);
	return isPlain
		? { ...context }
		: Object.create(Object.getPrototypeOf(context), Object.getOwnPropertyDescriptors(context));
};

const hasOnlyValues = (context: AuthContext): boolean =>
	Object.getPrototypeOf(context) === Object.prototype &&
	Reflect.ownKeys(context).every((name) => {
		const property = Reflect.getOwnPropertyDescriptor(context, name);
		return property?.writable && property.enumerable && property.configurable;
	});

const basePathOf = ({ basePath }: BetterAuthOptions): string => basePath || "/api/auth";

const dynamicBaseURL = (options: BetterAuthOptions, request: Request): string => {
	const trustsProxy = options.advanced?.trustedProxyHeaders ?? false;
	const baseURL = resolveBaseURL(options.baseURL, basePathOf(options), request, undefined, trustsProxy);
	if (!baseURL) throw new BetterAuthError("Could not resolve base URL from request. Check your allowedHosts config.");
	return baseURL;
};

const requestedBaseURL = (options: BetterAuthOptions, request: Request): string => {
	const trustsProxy = options.advanced?.trustedProxyHeaders;
	const baseURL = getBaseURL(undefined, basePathOf(options), request, undefined, trustsProxy);
	if (!baseURL) throw new BetterAuthError("Could not get base URL from request. Please provide a valid base URL.");
	return baseURL;
};

const trustedOrigins = async (
	options: BetterAuthOptions,
	baseURL: BaseURLConfig | undefined,
	request: Request,
): Promise<string[]> => {
	const listed = options.trustedOrigins;
	// a text in place of the list counts for nothing: each of its characters would be a pattern, and `*` matches every origin
	const own = typeof listed === "function" ? await listed(request) : Array.isArray(listed) ? listed : [];
	const fromEnv = env.BETTER_AUTH_TRUSTED_ORIGINS?.split(",") ?? [];
	return [...originsOf(options, baseURL, request), ...own, ...fromEnv].filter((origin): origin is string =>
		Boolean(origin),
	);
};

const originsOf = (options: BetterAuthOptions, baseURL: BaseURLConfig | undefined, request: Request): string[] => {
	if (isDynamicBaseURLConfig(baseURL)) return derivedOrigins(baseURL);
	const url = getBaseURL(typeof baseURL === "string" ? baseURL : undefined, options.basePath, request);
	return url ? [new URL(url).origin] : [];
};

const trustedProviders = async (
	{ account }: BetterAuthOptions,
	request: Request,
): Promise<AuthContext["trustedProviders"]> => {
	const listed = account?.accountLinking?.trustedProviders;
	const own = typeof listed === "function" ? await listed(request) : listed;
	return (own ?? []).filter(Boolean);
};
