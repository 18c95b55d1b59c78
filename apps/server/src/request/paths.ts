import { createTenantPath } from "../lib/tenant-path.ts";

export type Place = {
	/** below the base path, such as /sign-in/email */
	path: string;
	/** the tenant's slug, if the path contains it */
	tenantSlug: string | null;
	/** path and query for the engine */
	target: string;
};

/**
 * Maps a request target to a path in the engine: below the base path or, with a tenant path, below /t/acme and the base
 * path.
 */
export const createPaths = (basePath: string, tenantPath: string | null) => {
	const split = createTenantPath(tenantPath);
	return (target: string): Place | null => {
		// any host works; the parser resolves "." and ".." in the path
		const url = URL.parse(`http://localhost${target}`);
		if (!url) return null;
		const plain = below(url.pathname, basePath);
		if (plain !== null) return { path: plain, tenantSlug: null, target: `${basePath}${plain}${url.search}` };
		const tenant = split(url.pathname);
		const path = tenant && below(tenant.rest, basePath);
		if (path === null) return null;
		return { path, tenantSlug: tenant?.tenantSlug ?? null, target: `${basePath}${path}${url.search}` };
	};
};

const below = (pathname: string, basePath: string): string | null =>
	pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : null;
