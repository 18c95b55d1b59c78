import type { AuthContext, BaseURLConfig, BetterAuthOptions } from "@better-auth/core";
import { env } from "@better-auth/core/env";
import { BetterAuthError } from "@better-auth/core/error";
import { getBaseURL, getOrigin, isDynamicBaseURLConfig, resolveBaseURL } from "better-auth";
import { createCookieGetter, getCookies } from "better-auth/cookies";
import { derivedOrigins } from "../scope/trusted-origins.ts";

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

const accessors = new WeakMap<AuthContext, boolean>();

/** Copying property descriptors takes ten times as long as copying values, and is needed only if a plugin added a getter. */
const copyOf = (context: AuthContext): AuthContext => {
	let hasAccessors = accessors.get(context);
	if (hasAccessors === undefined) {
		hasAccessors =
			Object.getPrototypeOf(context) !== Object.prototype ||
			Object.values(Object.getOwnPropertyDescriptors(context)).some(({ get, enumerable }) => get || !enumerable);
		accessors.set(context, hasAccessors);
	}
	return hasAccessors
		? Object.create(Object.getPrototypeOf(context), Object.getOwnPropertyDescriptors(context))
		: { ...context };
};

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
	const own = typeof listed === "function" ? await listed(request) : (listed ?? []);
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
