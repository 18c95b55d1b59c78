import { pagesSection } from "./pages.ts";
import { pluginsSection } from "./plugins.ts";
import { defineSection } from "./section.ts";
import { tenantsSection } from "./tenants.ts";
import { page } from "./variables.ts";

export const oauthProviderSection = defineSection(
	{
		OAUTH_PROVIDER_LOGIN_PAGE: page().optional().meta({
			description:
				"For the oauth-provider plugin: your sign-in page. A path such as /login is on the host of the request. With PAGES and tenants' own hosts, the default is /sign-in",
		}),
		OAUTH_PROVIDER_CONSENT_PAGE: page().optional().meta({
			description:
				"For the oauth-provider plugin: your page on which users allow a client to use their account. With PAGES and tenants' own hosts, the default is /consent",
		}),
	},
	({ PLUGINS, PAGES, TENANT_RESOLVER, ...values }, mistakes) => {
		if (!PLUGINS.includes("oauth-provider")) return null;
		// a path leads to the host of the request, so it cannot contain the tenant of a tenant path
		const hasOwnPages = PAGES && TENANT_RESOLVER.some((name) => name === "subdomain" || name === "custom-domain");
		const loginPage = values.OAUTH_PROVIDER_LOGIN_PAGE ?? (hasOwnPages ? "/sign-in" : "");
		const consentPage = values.OAUTH_PROVIDER_CONSENT_PAGE ?? (hasOwnPages ? "/consent" : "");
		if (!PLUGINS.includes("jwt"))
			mistakes.push("PLUGINS contains oauth-provider, which signs tokens with the jwt plugin. Add jwt");
		if (!loginPage)
			mistakes.push(
				"OAUTH_PROVIDER_LOGIN_PAGE is not set, but PLUGINS contains oauth-provider. Set your sign-in page, such as /login",
			);
		if (!consentPage)
			mistakes.push(
				"OAUTH_PROVIDER_CONSENT_PAGE is not set, but PLUGINS contains oauth-provider. Set your consent page, such as /consent",
			);
		return { loginPage, consentPage };
	},
	{ needed: { ...pluginsSection.variables, ...pagesSection.variables, ...tenantsSection.variables } },
);

export type OauthProviderConfig = ReturnType<(typeof oauthProviderSection)["read"]>;
