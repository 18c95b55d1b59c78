import type { BetterAuthPlugin } from "@better-auth/core";

type SharedSetting = {
	plugin: string;
	/** its path in the plugin's options */
	option: string;
	why: string;
	mend: string;
	/** the value that is refused; anything but nothing where it is left out */
	refused?: unknown;
};

/** Settings by which a plugin holds one value, one key or one cache for the whole process. Every tenant would share it. */
const SHARED_SETTINGS: SharedSetting[] = [
	{
		plugin: "oauth-provider",
		option: "cachedTrustedClients",
		why: "keeps clients by their id for the whole process, so a client of one tenant would get codes for another's users",
		mend: "Leave it out: clients are then read in the request's tenant.",
	},
	{
		plugin: "oauth-provider",
		option: "cachedResources",
		why: "keeps resources by their identifier for the whole process, so one tenant's settings would hold in another",
		mend: "Leave it out: resources are then read in the request's tenant.",
	},
	{
		plugin: "sso",
		option: "defaultSSO",
		why: "names identity providers that sign people in to every tenant",
		mend: "Register them in each tenant that uses them, with auth.api.registerSSOProvider.",
	},
	{
		plugin: "sso",
		option: "redirectURI",
		why: "is one redirect URI for the identity providers of all tenants, so one tenant's server would be sent another's codes",
		mend: "Leave it out: each tenant's provider then has its own, which `/sso/register` returns.",
	},
	{
		plugin: "sso",
		option: "saml.enableInResponseToValidation",
		refused: false,
		why: "is turned off, so a SAML response would be accepted for a sign-in that never asked for it",
		mend: "Leave it out. For sign-ins that the identity provider starts, set saml.allowIdpInitiated.",
	},
	{
		plugin: "scim",
		option: "connections",
		why: "names bearer tokens that are good in whichever tenant their holder names",
		mend: "Use managedConnections and make one in each tenant, with auth.api.createSCIMManagedConnection.",
	},
	{
		plugin: "oauth-proxy",
		option: "secret",
		why: "encrypts states and profiles with one key in all tenants, so a profile from one tenant's identity provider would open in another",
		mend: "Leave it out and give both deployments the same auth secret: the key is then derived for each tenant.",
	},
];

/** Complains about settings of other plugins that would cross tenants. */
export const findSharedState = (plugins: readonly BetterAuthPlugin[]): string[] =>
	SHARED_SETTINGS.flatMap(({ plugin: id, option, refused, why, mend }) => {
		const value = settingAt(plugins.find((plugin) => plugin.id === id)?.options, option);
		const isRefused = refused === undefined ? isSet(value) : value === refused;
		return isRefused ? [`\`${option}\` of the ${id} plugin ${why}. ${mend}`] : [];
	});

const settingAt = (options: unknown, path: string): unknown =>
	path.split(".").reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], options);

/** A set may be filled later, a list of none stays one. */
const isSet = (value: unknown): boolean => value != null && !(Array.isArray(value) && value.length === 0);
