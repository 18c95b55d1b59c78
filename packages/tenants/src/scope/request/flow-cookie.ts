import type { GenericEndpointContext, HookEndpointContext } from "@better-auth/core";
import { expireCookie } from "better-auth/cookies";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { isTenantId } from "../../resolve/tenant-id.ts";
import { PLATFORM } from "../pin/platform.ts";
import type { ReSigning } from "../secrets/re-sign.ts";

/**
 * Names the tenant between a second-factor challenge and its response, because there is no session yet. It is a hint and
 * grants no access; the challenge's own cookie does.
 */
const flowCookie = (ctx: GenericEndpointContext) => ctx.context.createAuthCookie(NAME, { maxAge: 600 });

const NAME = "tenant_flow";

/** The tenant of a pending challenge, if this endpoint completes challenges. */
export const readFlowTenant = async (
	ctx: GenericEndpointContext,
	reSigning?: ReSigning | null,
): Promise<string | null> => {
	if (!endpointOf(ctx.path).answersChallenge) return null;
	const { name } = flowCookie(ctx);
	const value =
		(await ctx.getSignedCookie(name, ctx.context.secret)) || (await reSigning?.platformValue(ctx.getCookie(name)));
	return isTenantId(value) ? value : null;
};

/** Whether a sign-in may start a challenge or has a cookie of an older one. If neither, no cookie needs to be set. */
export const touchesFlow = ({ context, headers }: HookEndpointContext): boolean =>
	Boolean(context.newSession) &&
	(hasSecondFactor(context.newSession?.user ?? {}) ||
		(headers instanceof Headers && headers.get("cookie")?.includes(context.createAuthCookie(NAME).name) === true));

/** Sets the cookie when a user with a second factor signs in, because a challenge may follow. Deletes it afterwards. */
export const keepFlowTenant = async (ctx: GenericEndpointContext, tenantId: string, secret: string): Promise<void> => {
	if (!ctx.context.newSession) return;
	const cookie = flowCookie(ctx);
	const opens =
		tenantId !== PLATFORM && !endpointOf(ctx.path).answersChallenge && hasSecondFactor(ctx.context.newSession.user);
	if (opens) await openFlow(ctx, tenantId, secret);
	// any other sign-in ends the challenge
	else if (ctx.getCookie(cookie.name)) expireCookie(ctx, cookie);
};

/** Sets the cookie, for a challenge that follows. */
export const openFlow = async (ctx: GenericEndpointContext, tenantId: string, secret: string): Promise<void> => {
	const cookie = flowCookie(ctx);
	await ctx.setSignedCookie(cookie.name, tenantId, secret, cookie.attributes);
};

const hasSecondFactor = (user: Record<string, unknown>): boolean => user.twoFactorEnabled === true;
