import type { BetterAuthPlugin } from "@better-auth/core";

type SharedSetting = {
	plugin: string;
	/** path of the option in the plugin's options */
	option: string;
	why: string;
	fix: string;
	/** the value that is refused; every value if not set */
	refused?: unknown;
};

/** Options that make a plugin keep one value, key or cache for the whole process, shared by all tenants. */
const SHARED_SETTINGS: SharedSetting[] = [
	{
		plugin: "oauth-provider",
		option: "cachedTrustedClients",
		why: "caches clients by id for the whole process, so a client of one tenant would get codes for users of another tenant",
		fix: "Remove it: clients are then read in the request's tenant.",
	},
	{
		plugin: "oauth-provider",
		option: "cachedResources",
		why: "caches resources by identifier for the whole process, so one tenant's settings would apply in another tenant",
		fix: "Remove it: resources are then read in the request's tenant.",
	},
	{
		plugin: "sso",
		option: "defaultSSO",
		why: "configures identity providers that can sign users in to every tenant",
		fix: "Register them with auth.api.registerSSOProvider in each tenant that uses them.",
	},
	{
		plugin: "sso",
		option: "redirectURI",
		why: "sets one redirect URI for the identity providers of all tenants, so one tenant's server could receive another tenant's codes",
		fix: "Remove it: each tenant's provider then has its own redirect URI, which `/sso/register` returns.",
	},
	{
		plugin: "sso",
		option: "saml.enableInResponseToValidation",
		refused: false,
		why: "is false, so SAML responses would be accepted without a matching request",
		fix: "Remove it. For sign-ins that the identity provider starts, set saml.allowIdpInitiated.",
	},
	{
		plugin: "scim",
		option: "connections",
		why: "configures bearer tokens that are valid in every tenant",
		fix: "Use managedConnections and create one in each tenant with auth.api.createSCIMManagedConnection.",
	},
	{
		plugin: "oauth-proxy",
		option: "secret",
		why: "encrypts states and profiles with one key for all tenants, so a profile from one tenant's identity provider would be accepted in another tenant",
		fix: "Remove it and set the same auth secret in both deployments: the key is then derived for each tenant.",
	},
];

/** Returns an error for each option of another plugin that would share state between tenants. */
export const findSharedState = (plugins: readonly BetterAuthPlugin[]): string[] =>
	SHARED_SETTINGS.flatMap(({ plugin: id, option, refused, why, fix }) => {
		const value = settingAt(plugins.find((plugin) => plugin.id === id)?.options, option);
		const isRefused = refused === undefined ? isSet(value) : value === refused;
		return isRefused ? [`\`${option}\` of the ${id} plugin ${why}. ${fix}`] : [];
	});

const settingAt = (options: unknown, path: string): unknown =>
	path.split(".").reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], options);

/** An empty array counts as not set. An empty `Set` does not, because values may be added later. */
const isSet = (value: unknown): boolean => value != null && !(Array.isArray(value) && value.length === 0);
