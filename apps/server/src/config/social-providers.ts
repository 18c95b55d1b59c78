import { socialProviderList } from "better-auth/social-providers";

export type SocialProviderConfig = Record<string, string | string[]>;

/** What a provider may be told besides its credentials; the engine's own names, written as in CLIENT_ID. */
const SETTINGS = {
	CLIENT_ID: "clientId",
	CLIENT_SECRET: "clientSecret",
	CLIENT_KEY: "clientKey",
	SCOPE: "scope",
	PROMPT: "prompt",
	ISSUER: "issuer",
	AUTHORITY: "authority",
	TENANT_ID: "tenantId",
	DOMAIN: "domain",
	REGION: "region",
	USER_POOL_ID: "userPoolId",
	ENVIRONMENT: "environment",
	HOSTED_DOMAIN: "hd",
	APP_BUNDLE_IDENTIFIER: "appBundleIdentifier",
} as const;

/** The providers of everybody who has none of his own: SOCIAL_GOOGLE_CLIENT_ID, SOCIAL_GOOGLE_CLIENT_SECRET, … */
export const readSocialProviders = (
	given: Record<string, string>,
	mistakes: string[],
): Record<string, SocialProviderConfig> => {
	const providers: Record<string, SocialProviderConfig> = {};
	for (const [name, value] of Object.entries(given)) {
		const [, upper = "", setting = ""] = /^SOCIAL_([A-Z]+)_([A-Z_]+)$/.exec(name) ?? [];
		if (!name.startsWith("SOCIAL_")) continue;
		const provider = upper.toLowerCase();
		const known = Object.hasOwn(SETTINGS, setting) ? SETTINGS[setting as keyof typeof SETTINGS] : undefined;
		if (!socialProviderList.some((id) => id === provider))
			mistakes.push(
				`${name} names no provider of the engine. Take one of ${[...socialProviderList].sort().join(", ")}`,
			);
		else if (!known) mistakes.push(`${name} ends in no known setting. Take one of ${Object.keys(SETTINGS).join(", ")}`);
		else {
			providers[provider] ??= {};
			providers[provider][known] = known === "scope" ? value.split(/[\s,]+/) : value;
		}
	}
	for (const [provider, settings] of Object.entries(providers)) {
		const name = `SOCIAL_${provider.toUpperCase()}`;
		// some providers call it a key, and public clients have no secret
		if (!settings.clientId && !settings.clientKey)
			mistakes.push(`${name}_CLIENT_ID is not set, and other variables of ${provider} are. Set it, or remove them`);
	}
	return providers;
};
