import type { GenericEndpointContext, HookEndpointContext } from "@better-auth/core";
import { lastsLikeSession } from "../../engine/signed-cookies.ts";
import { dispatchOf } from "../pin/dispatch.ts";

const reSigned = (context: object): readonly string[] => dispatchOf(context).reSigned ?? [];

/** Whether a response that returns the session may renew cookies: another secret had signed something. */
export const mayRenewCookies = ({ context }: HookEndpointContext): boolean => reSigned(context).length > 0;

/**
 * Sets the cookies of a session again, signed with the current secret, so that users who return while both secrets are
 * configured stay signed in when the old one is removed. Nothing lasts longer than before: the session cookie ends with the
 * session. Without this, a cookie is renewed only when the engine extends the session.
 */
export const renewCookies = async (
	ctx: GenericEndpointContext & { context: { responseHeaders?: Headers | undefined } },
): Promise<void> => {
	const { authCookies, session, secret, responseHeaders } = ctx.context;
	const { sessionToken, dontRememberToken } = authCookies;
	if (!session || ctx.query?.disableRefresh) return;
	// the engine has renewed or deleted the cookie itself
	if (responseHeaders?.getSetCookie().some((cookie) => cookie.startsWith(`${sessionToken.name}=`))) return;
	const remaining = Math.floor((new Date(session.session.expiresAt).getTime() - Date.now()) / 1000);
	const token = await ctx.getSignedCookie(sessionToken.name, secret);
	if (token !== session.session.token || !(remaining > 0)) return;
	const isTemporary = Boolean(await ctx.getSignedCookie(dontRememberToken.name, secret));
	for (const name of reSigned(ctx.context)) {
		const value = await ctx.getSignedCookie(name, secret);
		if (!value) continue;
		if (name === sessionToken.name) {
			const { maxAge: _whole, ...attributes } = sessionToken.attributes;
			await ctx.setSignedCookie(name, value, secret, { ...attributes, ...(isTemporary ? {} : { maxAge: remaining }) });
		} else if (name === dontRememberToken.name) {
			await ctx.setSignedCookie(name, value, secret, dontRememberToken.attributes);
		} else if (lastsLikeSession(ctx.context, name)) {
			await ctx.setSignedCookie(name, value, secret, sessionToken.attributes);
		}
	}
};
