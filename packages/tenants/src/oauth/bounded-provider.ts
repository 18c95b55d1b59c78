import { type OAuth2Tokens, type OAuthProvider, verifyProviderIdToken } from "@better-auth/core/oauth2";
import * as z from "zod";
import { withBoundedFetch } from "./bounded-fetch.ts";
import { person, subjectOf } from "./provider-profile.ts";

type UserInfo = NonNullable<Awaited<ReturnType<OAuthProvider["getUserInfo"]>>>;

/** Text, or nothing: what a provider sends in place of text is dropped, not stored. */
const text = z.string().optional().catch(undefined);

const tokens = z.looseObject({
	tokenType: text,
	// RFC 6749, section 5.1: there is one, or the code was not redeemed
	accessToken: z.string().min(1).max(50_000),
	refreshToken: z.string().max(50_000).optional(),
	idToken: z.string().max(50_000).optional(),
	accessTokenExpiresAt: z.date().optional().catch(undefined),
	refreshTokenExpiresAt: z.date().optional().catch(undefined),
	scopes: z.array(z.string()).optional().catch(undefined),
});

/** A refresh may leave out what stays as it was. */
const refreshed = tokens.extend({ accessToken: tokens.shape.accessToken.optional() });

/** What the calls of one request share: a deadline, and whether they may go inside a network. */
export type CallBounds = { deadline: () => AbortSignal; allowPrivateHosts: boolean };

/** The deadline runs from the request's first call to a provider: a sign-in is bounded as a whole. */
export const createCallBounds = (seconds: number, allowPrivateHosts: boolean): CallBounds => {
	let signal: AbortSignal | undefined;
	return {
		allowPrivateHosts,
		deadline: () => {
			signal ??= AbortSignal.timeout(seconds * 1000);
			return signal;
		},
	};
};

/**
 * A provider whose every call ends in time and whose answers are what the engine takes them for. The engine reads some
 * of them without looking (an e-mail that is a number, a subject that is a list), outside of any catch.
 */
export const boundProvider = <Provider extends OAuthProvider>(
	provider: Provider,
	{ deadline, allowPrivateHosts }: CallBounds,
	{ publicHostsOnly, vouchesForEmail }: { publicHostsOnly: boolean; vouchesForEmail: boolean },
): Provider => {
	const inTime = <Result>(call: () => Promise<Result>): Promise<Result> => {
		const signal = deadline();
		return Promise.race([
			withBoundedFetch({ signal, publicHostsOnly: publicHostsOnly && !allowPrivateHosts }, call),
			rejectAt(signal),
		]);
	};
	const { refreshAccessToken } = provider;
	return {
		...provider,
		validateAuthorizationCode: async (data: Parameters<OAuthProvider["validateAuthorizationCode"]>[0]) => {
			const answer = await inTime(() => provider.validateAuthorizationCode(data));
			if (!answer) return null;
			const checked = tokens.parse(answer) as OAuth2Tokens;
			await inTime(() => assertIdToken(provider, checked.idToken));
			return checked;
		},
		getUserInfo: async (token: Parameters<OAuthProvider["getUserInfo"]>[0]) => {
			// null is the engine's word for "no user"; it catches nothing here
			const answer = await inTime(() => provider.getUserInfo(token)).catch(() => null);
			if (!answer) return null;
			const user = person.safeParse(answer.user);
			return user.success && typeof answer.data === "object" && answer.data !== null
				? {
						...answer,
						user: { ...(user.data as UserInfo["user"]), emailVerified: vouchesForEmail && user.data.emailVerified },
					}
				: null;
		},
		accountSubject: async (context: Parameters<OAuthProvider["accountSubject"]>[0]) =>
			subjectOf(await provider.accountSubject(context)),
		...(refreshAccessToken
			? {
					refreshAccessToken: async (...sent: Parameters<typeof refreshAccessToken>) =>
						refreshed.parse(await inTime(() => refreshAccessToken(...sent))) as OAuth2Tokens,
				}
			: {}),
	};
};

/**
 * In this flow the engine reads ID tokens without verifying them. Where it knows how to, it does so here: issuer,
 * audience, age and signature (OpenID Connect Core, section 3.1.3.7).
 */
const assertIdToken = async (provider: OAuthProvider, idToken: string | undefined): Promise<void> => {
	if (!idToken || !provider.idToken || !("jwks" in provider.idToken)) return;
	const { clientId } = (provider.options ?? {}) as { clientId?: string | string[] };
	// with a native app's id configured too, the engine expects that one alone
	const audience = [provider.idToken.audience, clientId ?? []].flat();
	const verifier = { ...provider, idToken: { ...provider.idToken, audience }, options: {} };
	if (!(await verifyProviderIdToken(verifier, idToken))) throw new Error("The provider's ID token does not hold");
};

const rejectAt = (signal: AbortSignal): Promise<never> =>
	new Promise((_, reject) => {
		const stop = () => reject(signal.reason);
		if (signal.aborted) stop();
		else signal.addEventListener("abort", stop, { once: true });
	});
