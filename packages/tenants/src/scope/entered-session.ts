import type { GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { generateRandomString } from "better-auth/crypto";
import { isLiveSession } from "./session-credential.ts";
import { readTag, withTag } from "./tag.ts";

/**
 * Sessions through which an operator entered a tenant say so in their token, as every session says its tenant: a request
 * shows what it is before anything is looked up, in the database, in secondary storage and in the cookie cache alike. A
 * token without its mark is another token, and finds no session.
 */
const MARK = "entered-";

/** A session token for an operator who enters a tenant. */
export const newEnteredToken = (tenantId: string): string =>
	withTag(MARK + generateRandomString(32, "a-z", "A-Z", "0-9"), tenantId);

/** The token's mark and the column that applications read are one statement. */
export const assertMarkedAlike = (token: string, enteredBy: unknown): void => {
	if (token.startsWith(MARK) !== (enteredBy != null))
		throw new BetterAuthError("tenantAuth: sessions inside another tenant are made by /tenant/enter only");
};

/** Whether this is such a session. The column may be left out of an answer, the mark never is. */
export const isEnteredSession = (session: { token?: unknown; enteredBy?: unknown } | null | undefined): boolean =>
	session?.enteredBy != null || (typeof session?.token === "string" && session.token.startsWith(MARK));

/**
 * Whether a request carries such a session. The session cookie is read as the engine reads it. Other headers count
 * wherever a token stands in them: a plugin may take session tokens from a header that this one does not know.
 */
export const carriesEnteredSession = async (ctx: GenericEndpointContext): Promise<boolean> => {
	if (ctx.getCookie(ctx.context.authCookies.sessionToken.name)?.startsWith(MARK)) return true;
	const inCookies = new Set<string>();
	// mostly one and the same
	for (const headers of new Set([ctx.request?.headers, ctx.headers])) {
		for (const [name, value] of headers ?? []) {
			if (name === "cookie") for (const token of tokensIn(value)) inCookies.add(token);
			else if (!NO_CREDENTIAL.has(name) && tokensIn(value).length > 0) return true;
		}
	}
	return isAnyLive(ctx, inCookies);
};

/** They say where a request comes from, which a stranger's link decides. */
const NO_CREDENTIAL = new Set(["referer", "origin", "user-agent"]);

const TOKEN = new RegExp(`${MARK}[A-Za-z0-9]{32}~[\\w-]{0,120}`, "g");

const tokensIn = (value: string): string[] => percentDecodedAgain(value).match(TOKEN) ?? [];

/**
 * Percent-decoded as often as anybody may decode it. Only ASCII, which tokens consist of: a sequence that is broken does
 * not hide what stands beside it.
 */
const percentDecodedAgain = (value: string): string => {
	let decoded = value;
	for (let round = 0; round < 3 && decoded.includes("%"); round += 1)
		decoded = decoded.replace(/%[0-7][0-9a-f]/gi, (code) => decodeURIComponent(code));
	return decoded;
};

/** Nobody visits a tenant this often at once, and each costs a look-up. */
const MOST_TOKENS = 10;

/**
 * Applications keep parts of addresses in cookies of their own, such as the click id of an advertisement. A stranger's
 * link can put a made-up token there, which must not lock anybody out, so these tokens are looked up.
 */
const isAnyLive = async (ctx: GenericEndpointContext, tokens: ReadonlySet<string>): Promise<boolean> => {
	if (tokens.size > MOST_TOKENS) return true;
	for (const token of tokens) {
		const tagged = readTag(token);
		if (tagged && (await isLiveSession(ctx, { token, tenantId: tagged.tenantId }))) return true;
	}
	return false;
};
