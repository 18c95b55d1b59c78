import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { isLoopbackHost, isPublicRoutableHost } from "@better-auth/core/utils/host";
import { socialProviders } from "better-auth/social-providers";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { PROVIDER_SETTINGS, type Setting } from "./provider-settings.ts";

/**
 * Whether the engine has the provider and this package describes it. New providers of the engine stay off until
 * described.
 */
export const isBuiltInProvider = (providerId: string): providerId is keyof typeof socialProviders =>
	Object.hasOwn(socialProviders, providerId) && Object.hasOwn(PROVIDER_SETTINGS, providerId);

type ProviderOptions = Record<string, string | boolean>;

const invalidOptions = (message: string): APIError =>
	APIError.from("BAD_REQUEST", { ...TENANT_AUTH_ERROR_CODES.INVALID_PROVIDER_OPTIONS, message });

/** Says which option the provider does not know, and those that it knows. */
const unknownOption = (providerId: string, name: string, settings: object): APIError => {
	const known = Object.keys(settings);
	const fix = known.length > 0 ? `Its options are ${known.join(", ")}` : "It has no options";
	// the caller chose the name
	return invalidOptions(`${providerId} has no option ${JSON.stringify(name.slice(0, 40))}. ${fix}`);
};

/** What a setting accepts. */
const expectationOf = (setting: Setting, allowPrivateHosts: boolean): string => {
	switch (setting.kind) {
		case "flag":
			return "true or false";
		case "one-of":
			return `one of ${setting.values.join(", ")}`;
		case "text":
			return `a text that matches ${setting.pattern.source}`;
		case "host": {
			const address = setting.form === "name" ? "a host name" : "a URL";
			const where = allowPrivateHosts ? "" : ", https and on a public host";
			return `${address} without ${setting.path ? "" : "path, "}query, user name and fragment${where}`;
		}
	}
};

/**
 * Accepts only options that the provider knows, and requires those that it needs. Hosts must be public, because your
 * server will call them. Returns hosts in canonical form, so the value that is used is the value that was checked.
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
		if (!setting) throw unknownOption(providerId, name, settings);
		const accepted = readSetting(setting, value, allowPrivateHosts);
		if (accepted === null)
			throw invalidOptions(`options.${name} of ${providerId} must be ${expectationOf(setting, allowPrivateHosts)}`);
		// the default is not stored: issuer "https://gitlab.com" and no issuer are the same authority
		if (accepted !== setting.otherwise) checked[name] = accepted;
	}
	for (const [name, { required }] of Object.entries(settings)) {
		if (required && !Object.hasOwn(checked, name)) throw invalidOptions(`${providerId} requires options.${name}`);
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
 * The URL parser is lenient: it accepts `\` as a slash, repeated slashes and white space. Only URLs that every parser
 * reads the same way pass. User names, queries and fragments are rejected.
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

/** Names that resolve only inside a network: a single label, .local (RFC 6762), .home.arpa (RFC 8375), .internal. */
const INSIDE_NAME = /^[^.:]+$|\.(?:local|internal|home\.arpa)$/;

/** Checks the name only. The address it resolves to is checked when it is called. */
const isPublicHost = (hostname: string): boolean =>
	!hostname.endsWith(".") && !INSIDE_NAME.test(hostname) && isPublicRoutableHost(hostname);

/**
 * A code gives access to an account. So it is only sent to an origin the application trusts, over https or to loopback.
 */
export const checkRedirectURI = (ctx: GenericEndpointContext, redirectURI: string): string => {
	const url = URL.parse(redirectURI);
	const secure = url && (url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname)));
	if (!url || !secure || url.username || url.password || url.hash || !ctx.context.isTrustedOrigin(url.origin)) {
		throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_REDIRECT_URI);
	}
	return redirectURI;
};
