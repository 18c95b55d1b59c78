import type { GenericEndpointContext, HookEndpointContext } from "@better-auth/core";
import type { Session, User } from "@better-auth/core/db";
import { parseSessionOutput } from "better-auth/db";
import { createHook } from "../../engine/hook.ts";
import { dispatchOf } from "../../scope/pin/dispatch.ts";
import { definePart } from "../../scope/pin/request-record.ts";

type NewSession = { session: Session; user: User };

/** The session that a delegated endpoint created. Each dispatch has its own context. */
const delegated = definePart<{ session: NewSession | null }>(() => ({ session: null }));

/** Whether an endpoint that another endpoint called has created a session. */
export const madeSessionForAnother = ({ context }: HookEndpointContext): boolean =>
	dispatchOf(context).isDelegated === true && Boolean(context.newSession);

/** Remembers the session that an endpoint of the engine created. */
export const rememberNewSession = createHook(async ({ context }) => {
	const made = delegated.now();
	if (made) made.session = context.newSession;
});

/**
 * The session of the token in an engine's response. Null if none was created because email verification is required,
 * auto sign-in is off, or a second factor is required.
 */
export const newSessionOf = (ctx: GenericEndpointContext, token: unknown): Record<string, unknown> | null => {
	const found = delegated.peek()?.session;
	if (!found || typeof token !== "string" || found.session.token !== token) return null;
	return parseSessionOutput(ctx.context.options, found.session);
};
