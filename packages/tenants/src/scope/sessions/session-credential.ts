import type { GenericEndpointContext } from "@better-auth/core";
import { valueOfSigned } from "../../engine/signed-value.ts";
import { isSignedBy } from "../../engine/verify-signed.ts";
import { percentDecoded } from "../../lib/percent-decoded.ts";
import { readTag } from "../pin/tag.ts";
import { runInKnownTenant } from "../pin/tenant-context.ts";

export type SessionCredential = { token: string; tenantId: string };

/**
 * Reads the session token of a request and the tenant in its tag. Verifies nothing: the engine later checks the token
 * with that tenant's secret and rows. Returns null for a malformed tag.
 */
export const readSessionCredential = async (
	ctx: GenericEndpointContext,
	isLive: typeof isLiveSession,
): Promise<SessionCredential | null> => {
	const [bearer, cookie] = [readToken(bearerToken(ctx)), readToken(cookieToken(ctx))];
	if (!bearer || !cookie || bearer.tenantId === cookie.tenantId) return bearer ?? cookie;
	// a header that is not a session (a gateway's token, a management key) must not override the cookie
	return (await isLive(ctx, bearer)) ? bearer : cookie;
};

const readToken = (token: string | undefined): SessionCredential | null => {
	const tagged = token ? readTag(token) : null;
	return token && tagged ? { token, tenantId: tagged.tenantId } : null;
};

/**
 * Whether the engine would accept this token in its own tenant. Runs one query, only before a request would be
 * rejected.
 */
export const isLiveSession = async (
	ctx: GenericEndpointContext,
	{ token, tenantId }: SessionCredential,
): Promise<boolean> => {
	const found = await runInKnownTenant(tenantId, () => ctx.context.internalAdapter.findSession(token));
	return found !== null && found.session.expiresAt > new Date();
};

/**
 * Whether a request carries a session token that the tenant's secret signed: its sender signed in to this tenant once. Needs no
 * lookup, so the session may have ended. Call it when the tenant's secrets are in the context.
 */
export const carriesSignedToken = async (ctx: GenericEndpointContext): Promise<boolean> => {
	const sent = [bearerValue(ctx), ctx.getCookie(ctx.context.authCookies.sessionToken.name)];
	for (const signed of sent) if (signed && (await isSignedBy(ctx.context.secret, percentDecoded(signed)))) return true;
	return false;
};

/** The bearer plugin prefers the header to the cookie, and accepts both `token` and `token.signature`. */
const bearerToken = (ctx: GenericEndpointContext): string | undefined => bearerValue(ctx)?.split(".")[0] || undefined;

const bearerValue = (ctx: GenericEndpointContext): string | undefined => {
	if (!ctx.context.hasPlugin("bearer")) return undefined;
	const header = (ctx.request?.headers ?? ctx.headers)?.get("authorization") ?? "";
	return header.slice(0, 7).toLowerCase() === "bearer " ? percentDecoded(header.slice(7).trim()) : undefined;
};

const cookieToken = (ctx: GenericEndpointContext): string | undefined => {
	const signed = ctx.getCookie(ctx.context.authCookies.sessionToken.name);
	return signed ? valueOfSigned(signed) || undefined : undefined;
};
