import type { PagePath } from "../lib/page-paths.ts";
import { httpSection } from "./http.ts";
import { pagesSection } from "./pages.ts";
import { pluginsSection } from "./plugins.ts";
import { defineSection } from "./section.ts";
import { tenantsSection } from "./tenants.ts";
import { text } from "./variables.ts";

const OWN_PAGE: PagePath = "/accept-invitation";

export const tenantInvitationsSection = defineSection(
	{
		TENANT_INVITATION_URL: text().optional().meta({
			description:
				"For the tenant-invitations plugin: your page for accepting an invitation to a tenant, such as https://:tenant.example.com/invitation. The token is added to its query. With PAGES and subdomains or paths of tenants, the default is the service's own page",
		}),
	},
	({ PLUGINS, TENANT_INVITATION_URL: given, ...values }, mistakes) => {
		if (given && !isWebPage(given))
			mistakes.push(
				"TENANT_INVITATION_URL is not a URL. Use https://app.example.com/invitation, with :tenant for the tenant's slug",
			);
		if (!PLUGINS.includes("tenant-invitations")) return null;
		const acceptURL = given ?? ownPage(values);
		if (!acceptURL)
			mistakes.push(
				"TENANT_INVITATION_URL is not set, but PLUGINS contains tenant-invitations. Set your page for accepting an invitation",
			);
		return { /** may contain :tenant */ acceptURL: acceptURL ?? "" };
	},
	{
		needed: { ...pluginsSection.variables, ...pagesSection.variables, ...tenantsSection.variables },
		optional: httpSection.variables,
	},
);

type Places = {
	PAGES: boolean;
	TENANT_RESOLVER: string[];
	TENANT_DOMAIN?: string | undefined;
	TENANT_PATH: string;
	AUTH_URL?: string | undefined;
};

/** A slug leads to a subdomain or a path. It does not lead to a custom domain. */
const ownPage = ({ PAGES, TENANT_RESOLVER, TENANT_DOMAIN, TENANT_PATH, AUTH_URL }: Places): string | null => {
	const platform = URL.parse(AUTH_URL ?? "");
	if (!PAGES || !platform) return null;
	const port = platform.port ? `:${platform.port}` : "";
	if (TENANT_RESOLVER.includes("subdomain") && TENANT_DOMAIN)
		return `${platform.protocol}//:tenant.${TENANT_DOMAIN}${port}${OWN_PAGE}`;
	return TENANT_RESOLVER.includes("path") ? `${platform.origin}${TENANT_PATH}${OWN_PAGE}` : null;
};

const isWebPage = (value: string): boolean =>
	/^https?:$/.test(URL.parse(value.replaceAll(":tenant", "acme"))?.protocol ?? "");
