import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { isLoopbackHost, isPublicRoutableHost } from "@better-auth/core/utils/host";
import { socialProviders } from "better-auth/social-providers";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { PROVIDER_SETTINGS, type Setting } from "./provider-settings.ts";

/** A provider that the engine has and that is described here: one that a newer engine adds is closed until it is. */
export const isBuiltInProvider = (providerId: string): providerId is keyof typeof socialProviders =>
	Object.hasOwn(socialProviders, providerId) && Object.hasOwn(PROVIDER_SETTINGS, providerId);

type ProviderOptions = Record<string, string | boolean>;

const invalidOptions = () => APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_PROVIDER_OPTIONS);

/**
 * Lets through what the provider takes and refuses when something it needs is missing. Hosts must be public ones: your
 * server will call them. They come back in their one canonical form, so that what was checked is what is used.
 */
export const checkProviderOptions = (
	providerId: string,
	options: Record<string, unknown> | undefined,
	{ allowPrivateHosts }: { allowPrivateHosts: boolean },
): ProviderOptions | null => {
	const settings: Record<string, Setting> = isBuiltInProvider(providerId) ? PROVIDER_SETTINGS[providerId].settings : {};
	const checked: ProviderOptions = {};
	for (const [name, value] of Object.entries(options ?? {})) {
		const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
		const accepted = setting ? readSetting(setting, value, allowPrivateHosts) : null;
		if (accepted === null) throw invalidOptions();
		// one spelling for one thing: whoever names gitlab.com means the same people as whoever names nothing
		if (accepted !== setting?.otherwise) checked[name] = accepted;
	}
	for (const [name, { required }] of Object.entries(settings)) {
		if (required && !Object.hasOwn(checked, name)) throw invalidOptions();
	}
	return Object.keys(checked).length > 0 ? checked : null;
};

const readSetting = (setting: Setting, value: unknown, allowPrivateHosts: boolean): string | boolean | null => {
	if (setting.kind === "flag") return typeof value === "boolean" ? value : null;
	if (typeof value !== "string") return null;
	switch (setting.kind) {
		case "one-of":
			return setting.values.includes(value) ? value : null;
		case "text":
			return setting.pattern.test(value) ? value : null;
		case "host":
			return readHost(setting, value, allowPrivateHosts);
	}
};

/**
 * The parser takes more for a URL than one would think: `\` for a slash, any number of slashes, white space inside of it.
 * Only what reads the same to everyone gets that far; no user name, query or fragment either.
 */
const PLAIN_URL = /^https?:\/\/[A-Za-z0-9[][A-Za-z0-9:[\]._-]*(?:\/[A-Za-z0-9._~-]+)*\/?$/;

const readHost = (
	{ form, path }: Extract<Setting, { kind: "host" }>,
	value: string,
	allowPrivateHosts: boolean,
): string | null => {
	const address = form === "name" && !value.includes("://") ? `https://${value}` : value;
	const url = address.length <= 2000 && PLAIN_URL.test(address) ? URL.parse(address) : null;
	if (!url || (!path && url.pathname !== "/")) return null;
	if (!allowPrivateHosts && (url.protocol !== "https:" || !isPublicHost(url.hostname))) return null;
	// the engine appends paths that begin with a slash
	return form === "name" ? url.host : `${url.origin}${url.pathname.replace(/\/$/, "")}`;
};

/** Names that only mean something inside a network: one label, RFC 6762 (.local), RFC 8375 (.home.arpa), .internal. */
const INSIDE_NAME = /^[^.:]+$|\.(?:local|internal|home\.arpa)$/;

/** Where the name leads is checked when it is called, if at all: this looks at the name alone. */
const isPublicHost = (hostname: string): boolean =>
	!hostname.endsWith(".") && !INSIDE_NAME.test(hostname) && isPublicRoutableHost(hostname);

/** A code is a key to an account: it is only ever sent to an origin the application trusts, over https or to loopback. */
export const checkRedirectURI = (ctx: GenericEndpointContext, redirectURI: string): string => {
	const url = URL.parse(redirectURI);
	const secure = url && (url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname)));
	if (!url || !secure || url.username || url.password || url.hash || !ctx.context.isTrustedOrigin(url.origin)) {
		throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_REDIRECT_URI);
	}
	return redirectURI;
};
