import type { GenericEndpointContext } from "@better-auth/core";

type Context = GenericEndpointContext["context"];

/**
 * Whether a cookie has a name that the engine or one of its plugins writes: with the application's prefix, or with a name
 * that the application chose in `advanced.cookies`. The multi-session plugin adds the token to the session cookie's name.
 */
export const ownCookieNames = ({ createAuthCookie, options }: Context): ((name: string) => boolean) => {
	const prefix = createAuthCookie("").name;
	const chosen = Object.keys(options.advanced?.cookies ?? {}).map((key) => createAuthCookie(key).name);
	return (name) =>
		name.startsWith(prefix) || chosen.some((own) => name === own || name.startsWith(own + DEVICE_SESSION));
};

/** What the multi-session plugin puts between the session cookie's name and a token. */
const DEVICE_SESSION = "_multi-";

/** Whether a cookie has a name that the multi-session plugin writes: one for each session of the browser. */
export const isDeviceSessionCookie =
	({ authCookies }: Context) =>
	(name: string): boolean =>
		name.startsWith(authCookies.sessionToken.name + DEVICE_SESSION);

/** The cookie of a trusted device, of the two-factor plugin. */
export const trustedDeviceCookie = ({ createAuthCookie }: Context): string => createAuthCookie("trust_device").name;

/** Whether a cookie lasts as long as a session and has the session cookie's attributes. The admin plugin keeps the admin's. */
export const lastsLikeSession = ({ authCookies, createAuthCookie }: Context, name: string): boolean =>
	name.startsWith(authCookies.sessionToken.name + DEVICE_SESSION) || name === createAuthCookie("admin_session").name;

/** How the engine signs its cookie cache with its secret. Null if it is off, encrypted, or signed with other keys. */
export const signedCacheFormat = ({ options, sessionConfig }: Context): "compact" | "jwt" | null => {
	const cache = options.session?.cookieCache;
	const strategy = cache?.strategy ?? "compact";
	if (!cache?.enabled || strategy === "jwe") return null;
	return strategy === "jwt" && sessionConfig.cookieCacheSigner ? null : strategy;
};

/** The number of a cookie's part, if the engine split its value into several cookies: `name.0`, `name.1`. */
export const chunkIndex = (cookieName: string, name: string): number | null => {
	if (!name.startsWith(`${cookieName}.`)) return null;
	const digits = name.slice(cookieName.length + 1);
	return /^(?:0|[1-9]\d?)$/.test(digits) ? Number(digits) : null;
};
