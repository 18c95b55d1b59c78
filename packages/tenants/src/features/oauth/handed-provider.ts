import type { OAuthProvider } from "@better-auth/core/oauth2";
import * as z from "zod";
import type { HandedOver } from "./hand-over.ts";

type UserInfoInput = Parameters<OAuthProvider["getUserInfo"]>[0];

const named = z.looseObject({
	name: z.looseObject({ firstName: z.string().optional(), lastName: z.string().optional() }).optional(),
	email: z.string().optional(),
});

/**
 * Wraps a provider on the tenant's host: the callback host has redeemed the code, so the tokens are there, and no code that
 * arrives here is sent to the provider.
 */
export const handedProvider = <Provider extends OAuthProvider>(
	provider: Provider,
	{ tokens, refusesClient, user }: HandedOver,
): Provider => ({
	...provider,
	validateAuthorizationCode: async () => {
		if (tokens) return tokens;
		throw Object.assign(
			new Error("The provider issued no tokens"),
			// as the engine throws it: the test of a config tells it apart
			refusesClient ? { error: "invalid_client" } : {},
		);
	},
	getUserInfo: (input: UserInfoInput) => provider.getUserInfo({ ...input, user: userOf(user) }),
});

const userOf = (json: string | null): UserInfoInput["user"] => {
	if (json === null) return undefined;
	try {
		return named.parse(JSON.parse(json)) as UserInfoInput["user"];
	} catch {
		return undefined;
	}
};
