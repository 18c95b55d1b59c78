/** The pages, below a tenant's host or path. `/pages/…` has their styles and script. */
export const PAGE_PATHS = [
	"/sign-in",
	"/continue",
	"/passkey",
	"/email-link",
	"/email-code",
	"/two-factor",
	"/sign-up",
	"/check-email",
	"/verified",
	"/forgot-password",
	"/reset-password",
	"/consent",
	"/signed-in",
	"/sign-out",
	"/signed-out",
] as const;

export type PagePath = (typeof PAGE_PATHS)[number];

export type PagePlace = {
	page: PagePath;
	/** the tenant's slug, if the path contains it */
	tenantSlug: string | null;
	/** what stands before the page's path: `/t/acme`, or nothing */
	base: string;
};

/** A lower-case DNS label, like every slug. */
const SLUG = /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/** Maps a request target to a page: `/sign-in` or, with a tenant path, `/t/acme/sign-in`. */
export const createPagePaths = (tenantPath: string | null) => {
	const [before = ""] = tenantPath?.split(":tenant") ?? [];
	return (target: string): PagePlace | null => {
		const pathname = URL.parse(`http://localhost${target}`)?.pathname ?? "";
		const plain = pageAt(pathname);
		if (plain) return { page: plain, tenantSlug: null, base: "" };
		if (tenantPath === null || !pathname.startsWith(before)) return null;
		const [tenantSlug = ""] = pathname.slice(before.length).split("/", 1);
		const page = pageAt(pathname.slice(before.length + tenantSlug.length));
		return page && SLUG.test(tenantSlug) ? { page, tenantSlug, base: `${before}${tenantSlug}` } : null;
	};
};

const pageAt = (pathname: string): PagePath | undefined => PAGE_PATHS.find((path) => path === pathname);
