import type { BetterAuthPlugin } from "@better-auth/core";

type SharedSetting = { plugin: string; option: string; why: string; mend: string };

/** Settings by which a plugin holds one value, or one cache, for the whole process. Every tenant would see it. */
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
		plugin: "scim",
		option: "connections",
		why: "names bearer tokens that are good in whichever tenant their holder names",
		mend: "Use managedConnections and make one in each tenant, with auth.api.createSCIMManagedConnection.",
	},
];

/** Complains about settings of other plugins that would cross tenants. */
export const findSharedState = (plugins: readonly BetterAuthPlugin[]): string[] =>
	SHARED_SETTINGS.flatMap(({ plugin: id, option, why, mend }) => {
		const options = plugins.find((plugin) => plugin.id === id)?.options as Record<string, unknown> | undefined;
		return isSet(options?.[option]) ? [`\`${option}\` of the ${id} plugin ${why}. ${mend}`] : [];
	});

/** A set may be filled later, a list of none stays one. */
const isSet = (value: unknown): boolean => value != null && !(Array.isArray(value) && value.length === 0);
