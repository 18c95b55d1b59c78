import type { GenericEndpointContext, InternalAdapter } from "@better-auth/core";
import { definePart } from "../../scope/pin/request-record.ts";
import { flowStateOf } from "./flow-state.ts";

type Verification = Awaited<ReturnType<InternalAdapter["findVerificationValue"]>>;

/** The engine's prefix of OAuth states in the verification table. A test fails if the engine changes it. */
export const STATE_PREFIX = "auth-state:";

/** States that the callback host handed over. They have another name, so a second callback there cannot use them up. */
export const HANDED_PREFIX = "handed-over:";

/** States that this request has consumed. The engine may look them up again in this request, but not in another. */
const consumed = definePart<Map<string, Verification>>(() => new Map());

/**
 * Makes every OAuth state valid for one callback. The engine looks a state up and deletes it later, so ten parallel
 * callbacks would all pass. Here the lookup consumes the state, atomically in the database.
 *
 * `read` decides what the engine sees of a stored state: its value, another value, or null. A state that it rejects with
 * null is deleted too, and looks the same to the engine as a state that never existed.
 */
export const useStatesOnce = (ctx: GenericEndpointContext, read: (value: string) => Promise<string | null>): void => {
	const engine = ctx.context.internalAdapter;
	ctx.context.internalAdapter = {
		...engine,
		findVerificationValue: async (identifier) => {
			if (!identifier.startsWith(STATE_PREFIX)) return engine.findVerificationValue(identifier);
			const name = storedName(ctx, identifier);
			// the engine rejects a state of another browser; that browser must still be able to use it
			if (!(await isThisBrowsers(ctx, identifier.slice(STATE_PREFIX.length))))
				return engine.findVerificationValue(name);
			const states = consumed.now() ?? new Map<string, Verification>();
			if (!states.has(identifier)) {
				const state = await engine.consumeVerificationValue(name);
				const value = state && (await read(state.value));
				states.set(identifier, state && value !== null ? { ...state, value } : null);
			}
			return states.get(identifier) ?? null;
		},
		deleteVerificationByIdentifier: async (identifier) => {
			// saves a query: the engine deletes the state after the lookup, but it is already consumed
			const isGone = identifier.startsWith(STATE_PREFIX) && consumed.peek()?.has(identifier);
			if (!isGone) await engine.deleteVerificationByIdentifier(identifier);
		},
	};
};

const storedName = ({ context }: GenericEndpointContext, identifier: string): string =>
	flowStateOf(context)?.handOver == null ? identifier : `${HANDED_PREFIX}${identifier.slice(STATE_PREFIX.length)}`;

const isThisBrowsers = async (ctx: GenericEndpointContext, state: string): Promise<boolean> => {
	if (ctx.context.oauthConfig.skipStateCookieCheck) return true;
	return (await ctx.getSignedCookie(ctx.context.createAuthCookie("state").name, ctx.context.secret)) === state;
};
