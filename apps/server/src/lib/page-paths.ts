import { createTenantPath } from "./tenant-path.ts";

/** The pages, below a tenant's host or path. `/pages/…` has their styles and script. */
export const PAGE_PATHS = [
	"/sign-in",
	"/continue",
	"/passkey",
	"/email-link",
	"/email-code",
	"/two-factor",
	"/set-up-two-factor",
	"/sign-up",
	"/check-email",
	"/verified",
	"/forgot-password",
	"/reset-password",
	"/accept-invitation",
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

/** Maps a request target to a page: `/sign-in` or, with a tenant path, `/t/acme/sign-in`. */
export const createPagePaths = (tenantPath: string | null) => {
	const split = createTenantPath(tenantPath);
	return (target: string): PagePlace | null => {
		const pathname = URL.parse(`http://localhost${target}`)?.pathname ?? "";
		const plain = pageAt(pathname);
		if (plain) return { page: plain, tenantSlug: null, base: "" };
		const tenant = split(pathname);
		const page = tenant && pageAt(tenant.rest);
		return page ? { page, tenantSlug: tenant.tenantSlug, base: tenant.base } : null;
	};
};

const pageAt = (pathname: string): PagePath | undefined => PAGE_PATHS.find((path) => path === pathname);
