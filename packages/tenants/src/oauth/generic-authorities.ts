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
 * Who names the users of the application's generic OAuth providers. They may be called like a built-in social provider that
 * a tenant configures for itself, so their account ids carry their authority too.
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
