import type { AuthContext } from "@better-auth/core";

/** The path of a request below the engine's base path. Null if the request is not for the engine. */
export const endpointPath = (
	{ url }: Pick<Request, "url">,
	{ baseURL, options }: Pick<AuthContext, "baseURL" | "options">,
): string | null => {
	// without a base URL the engine uses the host of each request and the path of this option
	const base = URL.parse(baseURL)?.pathname ?? options.basePath ?? "/api/auth";
	const prefix = base.endsWith("/") ? base.slice(0, -1) : base;
	const { pathname } = new URL(url);
	return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : null;
};
