import type { ResolveTenantId } from "./hint.ts";
import { requestHost } from "./request-host.ts";

/**
 * Options of `fromSubdomain`.
 *
 * @example
 * ```ts
 * const options: SubdomainOptions = { domain: "app.example.com", findTenantId: (slug) => tenantIdBySlug.get(slug) };
 * ```
 */
type SubdomainOptions = {
	/** The parent domain of the tenants' subdomains: `app.example.com` for `acme.app.example.com`. */
	domain: string;
	/** Returns the id of the tenant with this slug, or nothing if there is none. Runs on every request, so cache it. */
	findTenantId: (slug: string) => string | null | undefined | Promise<string | null | undefined>;
};

/**
 * Resolves the tenant from the host name `<slug>.<domain>`. Resolves nothing for the domain itself, for deeper subdomains
 * (`a.b.<domain>`) and for every other host. The next source decides then.
 *
 * @example
 * ```ts
 * tenantAuth({
 * 	resolveTenantId: fromSubdomain({ domain: "app.example.com", findTenantId: (slug) => tenantIdBySlug.get(slug) }),
 * });
 * ```
 */
export const fromSubdomain = ({ domain, findTenantId }: SubdomainOptions): ResolveTenantId => {
	const suffix = `.${domain.toLowerCase()}`;
	return (request) => {
		const host = requestHost(request);
		if (!host?.endsWith(suffix)) return null;
		const slug = host.slice(0, -suffix.length);
		return slug === "" || slug.includes(".") ? null : findTenantId(slug);
	};
};
