import type { AuthContext } from "@better-auth/core";

/** The path of a request below the engine's base path, as its router takes it; null where it is not the engine's. */
export const endpointPath = (
	{ url }: Pick<Request, "url">,
	{ baseURL, options }: Pick<AuthContext, "baseURL" | "options">,
): string | null => {
	// without a base URL the engine takes the host from each request, and the path from this option
	const base = URL.parse(baseURL)?.pathname ?? options.basePath ?? "/api/auth";
	const prefix = base.endsWith("/") ? base.slice(0, -1) : base;
	const { pathname } = new URL(url);
	return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : null;
};
