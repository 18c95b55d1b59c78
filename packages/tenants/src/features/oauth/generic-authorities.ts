import type { BetterAuthPlugin } from "@better-auth/core";
import * as z from "zod";
import type { Authority } from "./account-authority.ts";

const generic = z.looseObject({
	config: z.array(
		z.looseObject({
			providerId: z.string(),
			discoveryUrl: z.string().optional(),
			authorizationUrl: z.string().optional(),
			redirectURI: z.string().optional(),
		}),
	),
});

/**
 * The authorities of the application's generic OAuth providers. Such a provider may have the same id as a built-in
 * social provider that a tenant configures, so its account ids contain the authority too.
 */
export const genericAuthorities = (plugins: readonly BetterAuthPlugin[]): ((providerId: string) => Authority) => {
	const authorities = new Map(
		readGeneric(plugins).map(({ providerId, discoveryUrl, authorizationUrl }) => [
			providerId,
			JSON.stringify(["generic-oauth", discoveryUrl ?? authorizationUrl ?? providerId]),
		]),
	);
	return (providerId) => authorities.get(providerId) ?? null;
};

/** Whether the application set a redirect URI for one of its generic OAuth providers. The plugin then sends that one. */
export const genericRedirects = (plugins: readonly BetterAuthPlugin[]): ((providerId: string) => boolean) => {
	const named = readGeneric(plugins).filter(({ redirectURI }) => redirectURI);
	const ids = new Set(named.map(({ providerId }) => providerId));
	return (providerId) => ids.has(providerId);
};

const readGeneric = (plugins: readonly BetterAuthPlugin[]) =>
	generic.safeParse(plugins.find(({ id }) => id === "generic-oauth")?.options).data?.config ?? [];
