import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { isLoopbackHost, isPublicRoutableHost } from "@better-auth/core/utils/host";
import { socialProviders } from "better-auth/social-providers";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";

export const isBuiltInProvider = (providerId: string): providerId is keyof typeof socialProviders =>
	Object.hasOwn(socialProviders, providerId);

type OptionKind = "text" | "flag" | "host";

/** What providers take besides id and secret. A key that is not here is refused: options reach the engine's provider code. */
const PROVIDER_OPTIONS: Partial<Record<keyof typeof socialProviders, Record<string, OptionKind>>> = {
	apple: { appBundleIdentifier: "text" },
	cognito: { domain: "host", region: "text", userPoolId: "text" },
	facebook: { configId: "text" },
	gitlab: { issuer: "host" },
	google: { accessType: "text", hd: "text", prompt: "text" },
	microsoft: { authority: "host", tenantId: "text", prompt: "text", disableProfilePhoto: "flag" },
	paypal: { environment: "text" },
	salesforce: { environment: "text", loginUrl: "host" },
	tiktok: { clientKey: "text" },
};

const invalidOptions = () => APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_PROVIDER_OPTIONS);

/** Lets through what the provider takes. Options that name hosts must name public ones: your server will call them. */
export const checkProviderOptions = (
	providerId: string,
	options: Record<string, unknown>,
	{ allowPrivateHosts }: { allowPrivateHosts: boolean },
): Record<string, unknown> => {
	const known = (isBuiltInProvider(providerId) && PROVIDER_OPTIONS[providerId]) || {};
	for (const [name, value] of Object.entries(options)) {
		const kind = Object.hasOwn(known, name) ? known[name] : undefined;
		if (kind === undefined) throw invalidOptions();
		if (kind === "flag" ? typeof value !== "boolean" : typeof value !== "string" || value.length > 2000)
			throw invalidOptions();
		if (kind === "host" && !allowPrivateHosts && !isPublicHost(String(value))) throw invalidOptions();
	}
	return options;
};

const isPublicHost = (value: string): boolean => {
	const url = URL.parse(value.includes("://") ? value : `https://${value}`);
	return url?.protocol === "https:" && !url.username && !url.password && isPublicRoutableHost(url.hostname);
};

/** A code is a key to an account: it is only ever sent to an origin the application trusts, over https or to loopback. */
export const checkRedirectURI = (ctx: GenericEndpointContext, redirectURI: string): string => {
	const url = URL.parse(redirectURI);
	const secure = url && (url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname)));
	if (!url || !secure || url.username || url.password || url.hash || !ctx.context.isTrustedOrigin(url.origin)) {
		throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_REDIRECT_URI);
	}
	return redirectURI;
};
