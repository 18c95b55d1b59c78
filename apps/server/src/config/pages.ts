import { defineSection } from "./section.ts";
import { tenantsSection } from "./tenants.ts";
import { flag } from "./variables.ts";

export const pagesSection = defineSection(
	{
		PAGES: flag(false).meta({
			description:
				"Whether the service serves sign-in pages on tenants' hosts and paths: /sign-in, /sign-up, /forgot-password and others. Requires TENANT_RESOLVER",
		}),
	},
	({ PAGES, TENANT_RESOLVER }, mistakes) => {
		if (PAGES && TENANT_RESOLVER.length === 0)
			mistakes.push(
				"PAGES is true, but TENANT_RESOLVER is not set, so no page would belong to a tenant. Set TENANT_RESOLVER to subdomain, custom-domain or path",
			);
		return { enabled: PAGES };
	},
	{ needed: tenantsSection.variables },
);

export type PagesConfig = ReturnType<(typeof pagesSection)["read"]>;
