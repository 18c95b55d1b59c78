export type Place = {
	/** below the base path, such as /sign-in/email */
	path: string;
	/** the tenant's slug, if the path contains it */
	tenantSlug: string | null;
	/** path and query for the engine */
	target: string;
};

/** A lower-case DNS label, like every slug. It contains no percent signs, so nothing needs decoding. */
const SLUG = /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * Maps a request target to a path in the engine: below the base path or, with a tenant path, below /t/acme and the base
 * path.
 */
export const createPaths = (basePath: string, tenantPath: string | null) => {
	const [before = ""] = tenantPath?.split(":tenant") ?? [];
	return (target: string): Place | null => {
		// any host works; the parser resolves "." and ".." in the path
		const url = URL.parse(`http://localhost${target}`);
		if (!url) return null;
		const plain = below(url.pathname, basePath);
		if (plain !== null) return { path: plain, tenantSlug: null, target: `${basePath}${plain}${url.search}` };
		if (tenantPath === null || !url.pathname.startsWith(before)) return null;
		const [tenantSlug = ""] = url.pathname.slice(before.length).split("/", 1);
		const path = below(url.pathname.slice(before.length + tenantSlug.length), basePath);
		if (path === null || !SLUG.test(tenantSlug)) return null;
		return { path, tenantSlug, target: `${basePath}${path}${url.search}` };
	};
};

const below = (pathname: string, basePath: string): string | null =>
	pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : null;
