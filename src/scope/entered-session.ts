import type { GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { generateRandomString } from "better-auth/crypto";
import { percentDecoded } from "./percent-decoded.ts";
import { withTag } from "./tag.ts";

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

/**
 * Whether a request carries such a session. The cookie is read as the engine reads it. Other headers count wherever the
 * mark stands in them: a plugin may take session tokens from a header that this one does not know.
 */
export const carriesEnteredSession = (ctx: GenericEndpointContext): boolean => {
	if (ctx.getCookie(ctx.context.authCookies.sessionToken.name)?.startsWith(MARK)) return true;
	// mostly one and the same
	for (const headers of new Set([ctx.request?.headers, ctx.headers])) {
		for (const [name, value] of headers ?? []) if (!NO_CREDENTIAL.has(name) && isMarked(value)) return true;
	}
	return false;
};

/** The cookie is read above; the others say where somebody comes from, which a stranger's link decides. */
const NO_CREDENTIAL = new Set(["cookie", "referer", "origin", "user-agent"]);

const MARKED = new RegExp(`\\b${MARK}[A-Za-z0-9]{32}~`);

const isMarked = (value: string): boolean =>
	MARKED.test(value) || (value.includes("%") && MARKED.test(percentDecoded(value)));
