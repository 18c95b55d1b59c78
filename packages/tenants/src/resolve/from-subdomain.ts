import type { ResolveTenantId } from "./hint.ts";
import { requestHost } from "./request-host.ts";

type Options = {
	/** The domain below which each tenant has its own: `app.example.com` for `acme.app.example.com`. */
	domain: string;
	/** Finds the id of the tenant with this slug; answer nothing for an unknown one. Cache it: it runs at every request. */
	tenantIdOf: (slug: string) => string | null | undefined | Promise<string | null | undefined>;
};

/**
 * Reads the tenant from `<slug>.<domain>`. Answers nothing for the domain itself, for anything deeper (`a.b.<domain>`) and for
 * every other host, so that the sources after it are asked.
 */
export const fromSubdomain = ({ domain, tenantIdOf }: Options): ResolveTenantId => {
	const suffix = `.${domain.toLowerCase()}`;
	return (request) => {
		const host = requestHost(request);
		if (!host?.endsWith(suffix)) return null;
		const slug = host.slice(0, -suffix.length);
		return slug === "" || slug.includes(".") ? null : tenantIdOf(slug);
	};
};
