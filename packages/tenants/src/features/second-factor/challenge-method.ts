import type { GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { challengeIdOf, isChallengeId } from "../../engine/two-factor-plugin.ts";
import { pendingOf } from "../../scope/sessions/pending-sessions.ts";

/** A challenge lasts this long at most, in milliseconds. The two-factor plugin's default is 10 minutes. */
const LIFETIME = 3_600_000;

const identifierOf = (challengeId: string): string => `second-factor-method-${challengeId}`;

/** Remembers how the user signed in until they verify their second factor. The challenge ends the session that says so. */
export const keepMethod = async (ctx: GenericEndpointContext, challengeId: string, session: object): Promise<void> => {
	const value = "signInMethod" in session ? session.signInMethod : null;
	if (typeof value !== "string") return;
	await ctx.context.internalAdapter.createVerificationValue({
		identifier: identifierOf(challengeId),
		value,
		expiresAt: new Date(Date.now() + LIFETIME),
	});
};

/**
 * Lets the two-factor plugin's own challenges remember how the running request signs the user in. The plugin deletes the session
 * that says so, in a hook of its own.
 */
export const recordMethod = (ctx: GenericEndpointContext, signInMethod: string | null): void => {
	const { context } = ctx;
	const { internalAdapter } = context;
	if (signInMethod === null || endpointOf(ctx.path).proves === "second-factor") return;
	const createVerificationValue: typeof internalAdapter.createVerificationValue = async (data, ...rest) => {
		const created = await internalAdapter.createVerificationValue(data, ...rest);
		if (isChallengeId(data.identifier) && !pendingOf(context)?.created)
			await keepMethod(ctx, data.identifier, { signInMethod });
		return created;
	};
	// the engine copies its context for each dispatch, so this changes no other request
	context.internalAdapter = { ...internalAdapter, createVerificationValue };
};

/** How the user signed in before the challenge that the request completes. Null if it is not known. */
export const methodOfChallenge = async (ctx: GenericEndpointContext | null): Promise<string | null> => {
	if (!ctx || endpointOf(ctx.path).proves !== "second-factor" || ctx.context.session) return null;
	const id = await challengeIdOf(ctx);
	return id ? ((await ctx.context.internalAdapter.findVerificationValue(identifierOf(id)))?.value ?? null) : null;
};
