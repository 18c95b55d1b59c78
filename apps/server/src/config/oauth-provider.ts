import { pluginsSection } from "./plugins.ts";
import { defineSection } from "./section.ts";
import { page } from "./variables.ts";

export const oauthProviderSection = defineSection(
	{
		OAUTH_PROVIDER_LOGIN_PAGE: page().optional().meta({
			description:
				"For the oauth-provider plugin: your sign-in page. A path such as /login is on the host of the request",
		}),
		OAUTH_PROVIDER_CONSENT_PAGE: page().optional().meta({
			description: "For the oauth-provider plugin: your page on which users allow a client to use their account",
		}),
	},
	({ PLUGINS, OAUTH_PROVIDER_LOGIN_PAGE, OAUTH_PROVIDER_CONSENT_PAGE }, mistakes) => {
		if (!PLUGINS.includes("oauth-provider")) return null;
		if (!PLUGINS.includes("jwt"))
			mistakes.push("PLUGINS contains oauth-provider, which signs tokens with the jwt plugin. Add jwt");
		if (!OAUTH_PROVIDER_LOGIN_PAGE)
			mistakes.push(
				"OAUTH_PROVIDER_LOGIN_PAGE is not set, but PLUGINS contains oauth-provider. Set your sign-in page, such as /login",
			);
		if (!OAUTH_PROVIDER_CONSENT_PAGE)
			mistakes.push(
				"OAUTH_PROVIDER_CONSENT_PAGE is not set, but PLUGINS contains oauth-provider. Set your consent page, such as /consent",
			);
		return { loginPage: OAUTH_PROVIDER_LOGIN_PAGE ?? "", consentPage: OAUTH_PROVIDER_CONSENT_PAGE ?? "" };
	},
	{ needed: pluginsSection.variables },
);

export type OauthProviderConfig = ReturnType<(typeof oauthProviderSection)["read"]>;
