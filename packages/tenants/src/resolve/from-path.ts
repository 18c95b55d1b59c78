import type { ResolveTenantId } from "./hint.ts";

/**
 * Options of `fromPath`.
 *
 * @example
 * ```ts
 * const options: PathOptions = { pattern: "/t/:tenant/", findTenantId: (slug) => tenantIdBySlug.get(slug) };
 * ```
 */
type PathOptions = {
	/** A URL path with one `:tenant`, matched from the start: `/t/:tenant` matches `/t/acme/api/auth/sign-in/email`. */
	pattern: string;
	/** Returns the id of the tenant with this slug, or nothing if there is none. Runs on every request, so cache it. */
	findTenantId: (slug: string) => string | null | undefined | Promise<string | null | undefined>;
};

/**
 * Resolves the tenant from the path of the request. Resolves nothing for calls of `auth.api` without a request.
 *
 * @example
 * ```ts
 * tenantAuth({
 * 	resolveTenantId: fromPath({ pattern: "/t/:tenant/", findTenantId: (slug) => tenantIdBySlug.get(slug) }),
 * });
 * ```
 */
export const fromPath = ({ pattern, findTenantId }: PathOptions): ResolveTenantId => {
	const [before, after, ...more] = pattern.split(":tenant");
	if (before === undefined || after === undefined || more.length > 0) {
		throw new Error(`fromPath: the pattern ${JSON.stringify(pattern)} must contain ":tenant" exactly once`);
	}
	return ({ request }) => {
		const path = request && URL.parse(request.url)?.pathname;
		if (!path?.startsWith(before)) return null;
		const [slug = ""] = path.slice(before.length).split("/", 1);
		const rest = path.slice(before.length + slug.length);
		return slug !== "" && rest.startsWith(after) ? findTenantId(slug) : null;
	};
};
