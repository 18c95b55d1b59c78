import type { GenericEndpointContext } from "@better-auth/core";
import { expireCookie } from "better-auth/cookies";
import { sha256Text } from "../../lib/sha256.ts";

const NAME = "tenant_sign_up";

/** Seconds. Links are sent again on request, so it lasts longer than one of them. */
const MAX_AGE = 30 * 86_400;

/** Says which password this browser has sent. Signed with the tenant's secret, so it is worth nothing in another tenant. */
const signUpCookie = ({ context }: GenericEndpointContext) => context.createAuthCookie(NAME, { maxAge: MAX_AGE });

/**
 * Marks the browser as one that knows the password with this hash. Hashes are salted, so the value names one password of one
 * user. It says nothing about the user: a sign-up with a taken address makes a hash, too, and gets the same kind of cookie.
 */
export const markBrowser = async (ctx: GenericEndpointContext, hash: string): Promise<void> => {
	const { name, attributes } = signUpCookie(ctx);
	await ctx.setSignedCookie(name, await sha256Text(hash), ctx.context.secret, attributes);
};

/** Whether this browser has sent the password with this hash. */
export const isMarked = async (ctx: GenericEndpointContext, hash: string): Promise<boolean> => {
	const { name } = signUpCookie(ctx);
	return (await ctx.getSignedCookie(name, ctx.context.secret)) === (await sha256Text(hash));
};

/** Deletes the cookie, if the browser has it. */
export const unmarkBrowser = (ctx: GenericEndpointContext): void => {
	const cookie = signUpCookie(ctx);
	if (ctx.getCookie(cookie.name)) expireCookie(ctx, cookie);
};

const NOTE = "tenant_password_removed";

/** Seconds: as long as it takes to read a page. */
const NOTE_MAX_AGE = 600;

/**
 * Tells the page that a redirect leads to, which has no response to read, that the user has to choose a password. It names the
 * tenant, because tenants below paths share cookies. A script can read it, and nothing relies on it.
 */
export const noteRemoval = (ctx: GenericEndpointContext, tenantId: string): void => {
	const { name, attributes } = ctx.context.createAuthCookie(NOTE, { maxAge: NOTE_MAX_AGE, httpOnly: false });
	ctx.setCookie(name, tenantId, attributes);
};
