export type Place = {
	/** below the base path, such as /sign-in/email */
	path: string;
	/** what the path says of the tenant, where it does */
	tenantSlug: string | null;
	/** path and query as the engine is asked for them */
	target: string;
};

/** A lower-case DNS label, as slugs are. Percent signs are none of it, so nothing has to be decoded. */
const SLUG = /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/** Where a request target leads in the engine: below the base path or, with a tenant path, below /t/acme and it. */
export const createPaths = (basePath: string, tenantPath: string | null) => {
	const [before = ""] = tenantPath?.split(":tenant") ?? [];
	return (target: string): Place | null => {
		// the host does not matter, and the parser resolves what "." and ".." are in the path
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
