import { APIError } from "@better-auth/core/error";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import * as z from "zod";
import type { ConfigTest } from "./test-outcome.ts";

/**
 * Wraps the provider of a test. The engine redeems the code and reads the user as in a sign-in. Then `getUserInfo` throws a
 * redirect, so the engine never gets a user to sign in, to create or to link.
 */
export const observeProvider = <Provider extends OAuthProvider>(provider: Provider, test: ConfigTest): Provider => ({
	...provider,
	validateAuthorizationCode: async (data: Parameters<OAuthProvider["validateAuthorizationCode"]>[0]) => {
		test.outcome = "code_exchange_failed";
		try {
			return await provider.validateAuthorizationCode(data);
		} catch (error) {
			if (refusesClient(error)) test.outcome = "invalid_client";
			throw error;
		}
	},
	getUserInfo: async (tokens: Parameters<OAuthProvider["getUserInfo"]>[0]): Promise<never> => {
		test.outcome = "user_info_failed";
		const info = await provider.getUserInfo(tokens);
		if (info && (await hasSubject(provider, { tokens, profile: info.data })))
			test.outcome = info.user.email ? "ok" : "email_not_found";
		throw new APIError("FOUND", undefined, new Headers({ location: test.callbackURL }));
	},
});

const hasSubject = async (
	{ accountSubject }: OAuthProvider,
	context: Parameters<OAuthProvider["accountSubject"]>[0],
): Promise<boolean> => {
	try {
		return Boolean(await accountSubject(context));
	} catch {
		return false;
	}
};

/** The error of a token endpoint (RFC 6749, section 5.2), as the engine's fetch throws it. */
const tokenError = z.looseObject({ error: z.literal(["invalid_client", "unauthorized_client"]) });

/** Whether a provider refused the client itself, and not the code. */
export const refusesClient = (error: unknown): boolean => tokenError.safeParse(error).success;
