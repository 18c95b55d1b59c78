import type { GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import * as z from "zod";
import { valueOfSigned } from "./signed-value.ts";

/**
 * What this package uses of the two-factor plugin beyond its endpoints. test/engine/two-factor-plugin.test.ts fails if the
 * plugin changes it.
 */
const TRUST_COOKIE = "trust_device";
const CHALLENGE_COOKIE = "two_factor";

type NewSession = NonNullable<GenericEndpointContext["context"]["newSession"]>;

const challenge = z.looseObject({ twoFactorRedirect: z.literal(true), twoFactorMethods: z.array(z.string()) });

export type Challenge = { twoFactorRedirect: true; twoFactorMethods: string[] };

/** The id of the challenge that a request completes, if it has one. */
export const challengeIdOf = async (ctx: GenericEndpointContext): Promise<string | null> =>
	(await ctx.getSignedCookie(ctx.context.createAuthCookie(CHALLENGE_COOKIE).name, ctx.context.secret)) || null;

/**
 * Replaces a session with a challenge for the user's second factor, exactly as the plugin does after a sign-in with a
 * password: deletes the session and its cookies, and sets the cookie of the challenge. The plugin then counts wrong codes.
 */
export const challengeInstead = async (
	ctx: GenericEndpointContext & { context: { responseHeaders?: Headers | undefined } },
	session: NewSession,
): Promise<{ id: string; challenge: Challenge }> => {
	const hook = ctx.context.getPlugin("two-factor")?.hooks?.after?.[0]?.handler;
	if (!hook) throw new BetterAuthError("tenantPolicy: the twoFactor() plugin is missing. Add it to `plugins`.");
	const context = { ...ctx.context, newSession: session };
	// whether the device is trusted is already decided: the plugin would keep the session
	const headers = withoutCookie(ctx.headers, ctx.context.createAuthCookie(TRUST_COOKIE).name);
	// the engine passes more properties to hooks than its type has
	const input = { ...ctx, headers, context, returnHeaders: true, asResponse: false } as never;
	const answer = (await hook(input)) as { headers?: Headers | null; response?: unknown };
	for (const cookie of answer.headers?.getSetCookie() ?? []) ctx.responseHeaders.append("set-cookie", cookie);
	const { name } = ctx.context.createAuthCookie(CHALLENGE_COOKIE);
	const signed = answer.headers?.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`));
	const id = valueOfSigned(decodeURIComponent(signed?.slice(name.length + 1).split(";")[0] ?? ""));
	return { id, challenge: challenge.parse(answer.response) };
};

/**
 * The user who verified a second factor on this device and chose to trust it. Null if there is none, or the trust ended. The
 * plugin keeps it in a signed cookie, `<HMAC of user and id>!<id>`, and in a verification with the user's id.
 */
export const trustedUserOf = async (ctx: GenericEndpointContext): Promise<string | null> => {
	const { name } = ctx.context.createAuthCookie(TRUST_COOKIE);
	if (!ctx.getCookie(name)) return null;
	const { secret, internalAdapter } = ctx.context;
	const [token, identifier] = ((await ctx.getSignedCookie(name, secret)) || "").split("!");
	if (!token || !identifier) return null;
	const stored = await internalAdapter.findVerificationValue(identifier);
	if (!stored || stored.expiresAt <= new Date()) return null;
	return (await isSigned(`${stored.value}!${identifier}`, token, secret)) ? stored.value : null;
};

/** An identifier that the engine hashed (`verification.storeIdentifier`). */
const HASHED = /^[\w-]{43}$/;

/**
 * Whether a verification is the trust of one of the user's devices. A hashed identifier does not say what it is. The others of a
 * user are reset links and challenges, which may end too.
 */
export const isTrustOf =
	(userId: string) =>
	({ identifier, value }: { identifier: string; value: string }): boolean =>
		value === userId && (identifier.startsWith("trust-device-") || HASHED.test(identifier));

/** Whether this is the identifier of a challenge. */
export const isChallengeId = (identifier: string): boolean => /^2fa-(?!otp-|attempts-)/.test(identifier);

const withoutCookie = (given: Headers | undefined, name: string): Headers => {
	const headers = new Headers(given);
	const cookies = headers.get("cookie")?.split(";") ?? [];
	headers.set("cookie", cookies.filter((cookie) => cookie.trim().split("=")[0] !== name).join(";"));
	return headers;
};

const HMAC = { name: "HMAC", hash: "SHA-256" };
const utf8 = new TextEncoder();

const isSigned = async (text: string, signature: string, secret: string): Promise<boolean> => {
	if (!/^[\w-]{43}$/.test(signature)) return false;
	const bytes = Uint8Array.from(atob(signature.replace(/-/g, "+").replace(/_/g, "/")), (byte) => byte.charCodeAt(0));
	const key = await crypto.subtle.importKey("raw", utf8.encode(secret), HMAC, false, ["verify"]);
	return crypto.subtle.verify(HMAC, key, bytes, utf8.encode(text));
};
