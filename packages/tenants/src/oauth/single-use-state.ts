import type { GenericEndpointContext, InternalAdapter } from "@better-auth/core";
import { defineRequestState } from "@better-auth/core/context";

type Verification = Awaited<ReturnType<InternalAdapter["findVerificationValue"]>>;

/** The engine keeps OAuth states in the verification table under this prefix. A test fails when it stops doing so. */
const STATE_PREFIX = "auth-state:";

/** States this request has consumed: the engine may look one up again, the next request may not. */
const consumed = defineRequestState<Map<string, Verification>>(() => new Map());

/**
 * Makes every OAuth state good for one callback. The engine looks a state up and deletes it afterwards, so of ten
 * callbacks at once ten pass; here looking up is consuming, which the database does atomically.
 *
 * A state that `accepts` refuses is gone and answers exactly like one that never was.
 */
export const useStatesOnce = (ctx: GenericEndpointContext, accepts: (value: string) => Promise<boolean>): void => {
	const engine = ctx.context.internalAdapter;
	ctx.context.internalAdapter = {
		...engine,
		findVerificationValue: async (identifier) => {
			if (!identifier.startsWith(STATE_PREFIX)) return engine.findVerificationValue(identifier);
			// another browser's state is refused by the engine; it must not be used up by it
			if (!(await isThisBrowsers(ctx, identifier.slice(STATE_PREFIX.length))))
				return engine.findVerificationValue(identifier);
			const states = await consumed.get();
			if (!states.has(identifier)) {
				const state = await engine.consumeVerificationValue(identifier);
				states.set(identifier, state && (await accepts(state.value)) ? state : null);
			}
			return states.get(identifier) ?? null;
		},
		deleteVerificationByIdentifier: async (identifier) => {
			// the engine deletes what it has looked up, and this one is gone: no statement for that
			const isGone = identifier.startsWith(STATE_PREFIX) && (await consumed.get()).has(identifier);
			if (!isGone) await engine.deleteVerificationByIdentifier(identifier);
		},
	};
};

const isThisBrowsers = async (ctx: GenericEndpointContext, state: string): Promise<boolean> => {
	if (ctx.context.oauthConfig.skipStateCookieCheck) return true;
	return (await ctx.getSignedCookie(ctx.context.createAuthCookie("state").name, ctx.context.secret)) === state;
};
