import type { GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { generateRandomString } from "better-auth/crypto";
import { readTag, withTag } from "../pin/tag.ts";
import { isLiveSession } from "./session-credential.ts";
import { PROOF_MARKS } from "./session-proof.ts";

/**
 * The token of an impersonated session starts with this mark, so a request shows what it is before any lookup, whether the
 * session is in the database, in secondary storage or in the cookie cache. A token without its mark is a different token and
 * finds no session.
 */
const MARK = "impersonated-";

/** Creates the token of an impersonated session. */
export const newImpersonationToken = (tenantId: string): string =>
	withTag(MARK + generateRandomString(32, "a-z", "A-Z", "0-9"), tenantId);

/** Whether a text looks like the token of a session, impersonated or not. */
export const isSessionToken = (text: string): boolean => {
	const mark = MARKS.find((one) => text.startsWith(one)) ?? "";
	return UNMARKED.test(text.slice(mark.length));
};

const MARKS = [MARK, ...PROOF_MARKS];
const UNMARKED = /^[A-Za-z0-9]{32}(~[\w-]{1,120})?$/;

/** Throws unless the token has the mark exactly if `operatorId`, which applications read, is set. */
export const assertMarkedAlike = (token: string, operatorId: unknown): void => {
	if (token.startsWith(MARK) !== (operatorId != null))
		throw new BetterAuthError("tenantAuth: impersonated sessions are created by /tenant/impersonate only");
};

/** Whether this session is impersonated. A response may leave out the column, but never the mark. */
export const isImpersonatedSession = (session: { token?: unknown; operatorId?: unknown } | null | undefined): boolean =>
	session?.operatorId != null || (typeof session?.token === "string" && session.token.startsWith(MARK));

/**
 * Whether a request carries an impersonated session. Reads the session cookie as the engine does. In other headers, a token
 * counts wherever it stands, because a plugin may take session tokens from a header that this one does not know.
 */
export const carriesImpersonatedSession = async (ctx: GenericEndpointContext): Promise<boolean> => {
	if (ctx.getCookie(ctx.context.authCookies.sessionToken.name)?.startsWith(MARK)) return true;
	const inCookies = new Set<string>();
	// a hook may have changed the second
	for (const headers of new Set([ctx.request?.headers, ctx.headers])) {
		for (const [name, value] of headers ?? []) {
			if (name === "cookie") for (const token of tokensIn(value)) inCookies.add(token);
			else if (!NO_CREDENTIAL.has(name) && tokensIn(value).length > 0) return true;
		}
	}
	return isAnyLive(ctx, inCookies);
};

/**
 * Whether a request carries an impersonated session of this tenant that exists. For what such a session may do and others may
 * not: a made-up token restricts a request, and must never open anything.
 */
export const carriesLiveImpersonation = async (ctx: GenericEndpointContext, tenantId: string): Promise<boolean> => {
	const tokens = new Set<string>();
	for (const headers of new Set([ctx.request?.headers, ctx.headers]))
		for (const name of ["cookie", "authorization"])
			for (const token of tokensIn(headers?.get(name) ?? ""))
				if (readTag(token)?.tenantId === tenantId) tokens.add(token);
	for (const token of [...tokens].slice(0, MOST_TOKENS)) if (await isLiveSession(ctx, { token, tenantId })) return true;
	return false;
};

/** They say where a request comes from. Any link can choose their values. */
const NO_CREDENTIAL = new Set(["referer", "origin", "user-agent"]);

const TOKEN = new RegExp(`${MARK}[A-Za-z0-9]{32}~[\\w-]{0,120}`, "g");

/** Every header of every request is read, and most contain neither the mark nor anything encoded. */
const tokensIn = (value: string): string[] =>
	value.includes("%") || value.includes(MARK) ? (percentDecodedAgain(value).match(TOKEN) ?? []) : [];

/**
 * Percent-decodes up to three times. Decodes only ASCII, which tokens consist of, so a broken sequence does not hide what
 * stands next to it.
 */
const percentDecodedAgain = (value: string): string => {
	let decoded = value;
	for (let round = 0; round < 3 && decoded.includes("%"); round += 1)
		decoded = decoded.replace(/%[0-7][0-9a-f]/gi, (code) => decodeURIComponent(code));
	return decoded;
};

/** Each token costs a lookup, and no browser has this many impersonated sessions. */
const MOST_TOKENS = 10;

/**
 * Applications keep parts of URLs in their own cookies, such as the click id of an advertisement. Any link can put a made-up
 * token there. It must not lock a user out, so these tokens are looked up.
 */
const isAnyLive = async (ctx: GenericEndpointContext, tokens: ReadonlySet<string>): Promise<boolean> => {
	if (tokens.size > MOST_TOKENS) return true;
	for (const token of tokens) {
		const tagged = readTag(token);
		if (tagged && (await isLiveSession(ctx, { token, tenantId: tagged.tenantId }))) return true;
	}
	return false;
};
