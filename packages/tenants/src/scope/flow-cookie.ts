import type { GenericEndpointContext, HookEndpointContext } from "@better-auth/core";
import { expireCookie } from "better-auth/cookies";
import { endpointOf } from "../engine/endpoints.ts";
import { isTenantId } from "../resolve/tenant-id.ts";
import { PLATFORM } from "./platform.ts";

/**
 * Between a second-factor challenge and its answer there is no session that could say the tenant; this cookie does.
 * It is signed for tidiness only: it names a scope like any hint and opens nothing, the challenge's own cookie does.
 */
const flowCookie = (ctx: GenericEndpointContext) => ctx.context.createAuthCookie(NAME, { maxAge: 600 });

const NAME = "tenant_flow";

/** The tenant in which a challenge is open, if this request can be the answer to one. */
export const readFlowTenant = async (ctx: GenericEndpointContext): Promise<string | null> => {
	if (!endpointOf(ctx.path).answersChallenge) return null;
	const value = await ctx.getSignedCookie(flowCookie(ctx).name, ctx.context.secret);
	return isTenantId(value) ? value : null;
};

/** Whether a sign-in may open such a challenge, or leaves one behind. Mostly neither, and then there is no cookie to set. */
export const touchesFlow = ({ context, headers }: HookEndpointContext): boolean =>
	Boolean(context.newSession) &&
	(hasSecondFactor(context.newSession?.user ?? {}) ||
		(headers instanceof Headers && headers.get("cookie")?.includes(context.createAuthCookie(NAME).name) === true));

/** Remembers the tenant when a sign-in of a person with a second factor may end in a challenge, and forgets it after. */
export const keepFlowTenant = async (ctx: GenericEndpointContext, tenantId: string, secret: string): Promise<void> => {
	if (!ctx.context.newSession) return;
	const cookie = flowCookie(ctx);
	const opens =
		tenantId !== PLATFORM && !endpointOf(ctx.path).answersChallenge && hasSecondFactor(ctx.context.newSession.user);
	if (opens) await ctx.setSignedCookie(cookie.name, tenantId, secret, cookie.attributes);
	// whoever signs in otherwise has left the challenge behind
	else if (ctx.getCookie(cookie.name)) expireCookie(ctx, cookie);
};

const hasSecondFactor = (user: Record<string, unknown>): boolean => user.twoFactorEnabled === true;
