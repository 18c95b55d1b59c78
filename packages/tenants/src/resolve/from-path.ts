import type { ResolveTenantId } from "./hint.ts";

type Options = {
	/** A URL path with one `:tenant`, matched from the start: `/t/:tenant` for `/t/acme/api/auth/sign-in/email`. */
	pattern: string;
	/** Finds the id of the tenant with this slug; answer nothing for an unknown one. Cache it: it runs at every request. */
	tenantIdOf: (slug: string) => string | null | undefined | Promise<string | null | undefined>;
};

/** Reads the tenant from the request's path. Calls of `auth.api` without a request have none. */
export const fromPath = ({ pattern, tenantIdOf }: Options): ResolveTenantId => {
	const [before, after, ...more] = pattern.split(":tenant");
	if (before === undefined || after === undefined || more.length > 0) {
		throw new Error(`fromPath: the pattern ${JSON.stringify(pattern)} must contain ":tenant" exactly once`);
	}
	return ({ request }) => {
		const path = request && URL.parse(request.url)?.pathname;
		if (!path?.startsWith(before)) return null;
		const [slug = ""] = path.slice(before.length).split("/", 1);
		const rest = path.slice(before.length + slug.length);
		return slug !== "" && rest.startsWith(after) ? tenantIdOf(slug) : null;
	};
};
