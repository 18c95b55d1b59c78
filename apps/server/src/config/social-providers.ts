import { socialProviderList } from "better-auth/social-providers";

export type SocialProviderConfig = Record<string, string | string[]>;

/** Settings of a provider, with Better Auth's option names. */
export const SOCIAL_SETTINGS = {
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

/** Reads the providers for tenants without their own: SOCIAL_GOOGLE_CLIENT_ID, SOCIAL_GOOGLE_CLIENT_SECRET, … */
export const readSocialProviders = (
	given: Record<string, string>,
	mistakes: string[],
): Record<string, SocialProviderConfig> => {
	const providers: Record<string, SocialProviderConfig> = {};
	for (const [name, value] of Object.entries(given)) {
		const [, upper = "", setting = ""] = /^SOCIAL_([A-Z]+)_([A-Z_]+)$/.exec(name) ?? [];
		if (!name.startsWith("SOCIAL_")) continue;
		const provider = upper.toLowerCase();
		const known = Object.hasOwn(SOCIAL_SETTINGS, setting)
			? SOCIAL_SETTINGS[setting as keyof typeof SOCIAL_SETTINGS]
			: undefined;
		if (!socialProviderList.some((id) => id === provider))
			mistakes.push(
				`${name} does not name a Better Auth provider. Choose from ${[...socialProviderList].sort().join(", ")}`,
			);
		else if (!known)
			mistakes.push(`${name} does not end in a known setting. Choose from ${Object.keys(SOCIAL_SETTINGS).join(", ")}`);
		else {
			providers[provider] ??= {};
			providers[provider][known] = known === "scope" ? value.split(/[\s,]+/) : value;
		}
	}
	for (const [provider, settings] of Object.entries(providers)) {
		const name = `SOCIAL_${provider.toUpperCase()}`;
		// some providers call it a key, and public clients have no secret
		if (!settings.clientId && !settings.clientKey)
			mistakes.push(`${name}_CLIENT_ID is not set, but other variables of ${provider} are. Set it, or remove them`);
	}
	return providers;
};
