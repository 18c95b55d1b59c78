import type { NearMiss } from "./near-misses.ts";
import type { SessionConfig } from "./session.ts";
import type { SocialProviderConfig } from "./social-providers.ts";

/** What is allowed, and probably not meant. Said at startup and by doctor. Never a secret's value. */
export type Doubt = NearMiss;

type Doubted = { session: SessionConfig; socialProviders: Record<string, SocialProviderConfig> };

export const findDoubts = ({ session, socialProviders }: Doubted): Doubt[] => [
	...(session.updateAge >= session.maxAge
		? [
				{
					name: "SESSION_UPDATE_AGE",
					says: `SESSION_UPDATE_AGE (${session.updateAge} s) is not below SESSION_MAX_AGE (${session.maxAge} s), so no session is ever extended`,
					fix: "Lower SESSION_UPDATE_AGE, or raise SESSION_MAX_AGE.",
				},
			]
		: []),
	...Object.entries(socialProviders)
		.filter(([, { clientId, clientKey, clientSecret }]) => (clientId || clientKey) && !clientSecret)
		.map(([provider]) => {
			const name = `SOCIAL_${provider.toUpperCase()}_CLIENT_SECRET`;
			return {
				name,
				says: `${name} is not set, so tenants without credentials of their own cannot sign in with ${provider}, unless the client is a public one`,
				fix: `Set ${name}.`,
			};
		}),
];
