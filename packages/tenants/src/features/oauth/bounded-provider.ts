import { type OAuth2Tokens, type OAuthProvider, verifyProviderIdToken } from "@better-auth/core/oauth2";
import * as z from "zod";
import { defineService } from "../../engine/service.ts";
import { withBoundedFetch } from "./bounded-fetch.ts";
import { subjectOf, userProfile } from "./provider-profile.ts";

type UserInfo = NonNullable<Awaited<ReturnType<OAuthProvider["getUserInfo"]>>>;

/** Since Better Auth 1.7.18, generic OAuth providers read the user from an ID token with a function of its own. */
type WithIdTokenInfo = { getUserInfoFromIdToken?: ((idToken: string) => Promise<UserInfo | null>) | undefined };

/** Optional text. A value of another type is dropped, not stored. */
const text = z.string().optional().catch(undefined);

const tokens = z.looseObject({
	tokenType: text,
	// required by RFC 6749, section 5.1
	accessToken: z.string().min(1).max(50_000),
	refreshToken: z.string().max(50_000).optional(),
	idToken: z.string().max(50_000).optional(),
	accessTokenExpiresAt: z.date().optional().catch(undefined),
	refreshTokenExpiresAt: z.date().optional().catch(undefined),
	scopes: z.array(z.string()).optional().catch(undefined),
});

/** A refresh response may leave out values that did not change. */
const refreshed = tokens.extend({ accessToken: tokens.shape.accessToken.optional() });

/** The limits that all provider calls of one request share: a deadline, and whether private hosts are allowed. */
export type CallBounds = { deadline: () => AbortSignal; allowPrivateHosts: boolean };

/** The limits of a request's calls to servers that a tenant configured. */
export const callBoundsOf = defineService<() => CallBounds>("callBounds");

/** The deadline starts with the request's first call to a provider, so it limits the sign-in as a whole. */
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
 * Wraps a provider: every call ends before the deadline, and every response has the types that the engine expects. The
 * engine does not check some of them (an email that is a number, a subject that is a list) and would throw uncaught.
 */
export const boundProvider = <Provider extends OAuthProvider>(
	provider: Provider,
	{ deadline, allowPrivateHosts }: CallBounds,
	{ publicHostsOnly, vouchesForEmail }: { publicHostsOnly: boolean; vouchesForEmail: boolean },
): Provider => {
	const withDeadline = <Result>(call: () => Promise<Result>): Promise<Result> => {
		const signal = deadline();
		return Promise.race([
			withBoundedFetch({ signal, publicHostsOnly: publicHostsOnly && !allowPrivateHosts }, call),
			rejectAt(signal),
		]);
	};
	const checkedInfo = async (call: () => Promise<UserInfo | null>): Promise<UserInfo | null> => {
		// the engine reads null as "no user"; it does not catch errors here
		const received = await withDeadline(call).catch(() => null);
		if (!received) return null;
		const user = userProfile.safeParse(received.user);
		return user.success && typeof received.data === "object" && received.data !== null
			? {
					...received,
					user: { ...(user.data as UserInfo["user"]), emailVerified: vouchesForEmail && user.data.emailVerified },
				}
			: null;
	};
	const { refreshAccessToken } = provider;
	const { getUserInfoFromIdToken } = provider as WithIdTokenInfo;
	return {
		...provider,
		validateAuthorizationCode: async (data: Parameters<OAuthProvider["validateAuthorizationCode"]>[0]) => {
			const received = await withDeadline(() => provider.validateAuthorizationCode(data));
			if (!received) return null;
			const checked = tokens.parse(received) as OAuth2Tokens;
			await withDeadline(() => assertIdToken(provider, checked.idToken));
			return checked;
		},
		getUserInfo: (token: Parameters<OAuthProvider["getUserInfo"]>[0]) => checkedInfo(() => provider.getUserInfo(token)),
		...(getUserInfoFromIdToken
			? { getUserInfoFromIdToken: (idToken: string) => checkedInfo(() => getUserInfoFromIdToken(idToken)) }
			: {}),
		accountSubject: async (context: Parameters<OAuthProvider["accountSubject"]>[0]) =>
			subjectOf(await provider.accountSubject(context)),
		...(refreshAccessToken
			? {
					refreshAccessToken: async (...sent: Parameters<typeof refreshAccessToken>) =>
						refreshed.parse(await withDeadline(() => refreshAccessToken(...sent))) as OAuth2Tokens,
				}
			: {}),
	};
};

/**
 * Verifies issuer, audience, age and signature of the ID token (OpenID Connect Core, section 3.1.3.7), if the provider
 * has keys to do so. The engine does not verify ID tokens in the code flow.
 */
const assertIdToken = async (provider: OAuthProvider, idToken: string | undefined): Promise<void> => {
	if (!idToken || !provider.idToken || !("jwks" in provider.idToken)) return;
	const { clientId } = (provider.options ?? {}) as { clientId?: string | string[] };
	// if a native app's id is also configured, the engine accepts only that audience
	const audience = [provider.idToken.audience, clientId ?? []].flat();
	const verifier = { ...provider, idToken: { ...provider.idToken, audience }, options: {} };
	if (!(await verifyProviderIdToken(verifier, idToken))) throw new Error("The provider's ID token is invalid");
};

const rejectAt = (signal: AbortSignal): Promise<never> =>
	new Promise((_, reject) => {
		const stop = () => reject(signal.reason);
		if (signal.aborted) stop();
		else signal.addEventListener("abort", stop, { once: true });
	});
