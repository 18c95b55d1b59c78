import type { BetterAuthPlugin } from "@better-auth/core";
import * as z from "zod";
import type { Authority } from "./authority.ts";

const generic = z.looseObject({
	config: z.array(
		z.looseObject({
			providerId: z.string(),
			discoveryUrl: z.string().optional(),
			authorizationUrl: z.string().optional(),
		}),
	),
});

/**
 * The authorities of the application's generic OAuth providers. Such a provider may have the same id as a built-in
 * social provider that a tenant configures, so its account ids contain the authority too.
 */
export const genericAuthorities = (plugins: readonly BetterAuthPlugin[]): ((providerId: string) => Authority) => {
	const read = generic.safeParse(plugins.find(({ id }) => id === "generic-oauth")?.options);
	const authorities = new Map(
		(read.data?.config ?? []).map(({ providerId, discoveryUrl, authorizationUrl }) => [
			providerId,
			JSON.stringify(["generic-oauth", discoveryUrl ?? authorizationUrl ?? providerId]),
		]),
	);
	return (providerId) => authorities.get(providerId) ?? null;
};
