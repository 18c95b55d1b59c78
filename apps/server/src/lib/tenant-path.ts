/** A lower-case DNS label, like every slug. It contains no percent signs, so nothing needs decoding. */
const SLUG = /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

type BelowTenant = {
	tenantSlug: string;
	/** the tenant's path, such as /t/acme */
	base: string;
	/** what follows it, such as /sign-in */
	rest: string;
};

/** Splits a path below that of a tenant. Null for all other paths, and if tenants have no paths. */
export const createTenantPath = (tenantPath: string | null) => {
	const [before = ""] = tenantPath?.split(":tenant") ?? [];
	return (pathname: string): BelowTenant | null => {
		if (tenantPath === null || !pathname.startsWith(before)) return null;
		const [tenantSlug = ""] = pathname.slice(before.length).split("/", 1);
		if (!SLUG.test(tenantSlug)) return null;
		const base = `${before}${tenantSlug}`;
		return { tenantSlug, base, rest: pathname.slice(base.length) };
	};
};
