import type { GenericEndpointContext, HookEndpointContext } from "@better-auth/core";
import { defineRequestState } from "@better-auth/core/context";
import type { Session, User } from "@better-auth/core/db";
import { parseSessionOutput } from "better-auth/db";
import { createHook } from "../engine/hook.ts";
import { DELEGATED } from "../scope/outage.ts";

type NewSession = { session: Session; user: User };

/** The session that a delegated endpoint created. Kept in the request state, as each dispatch has its own context. */
const newSession = defineRequestState<NewSession | null>(() => null);

/** Whether an endpoint that another endpoint called has created a session. */
export const madeSessionForAnother = ({ context }: HookEndpointContext): boolean =>
	DELEGATED in context && Boolean(context.newSession);

/** Remembers the session that an endpoint of the engine created. */
export const rememberNewSession = createHook(async ({ context }) => {
	await newSession.set(context.newSession);
});

/**
 * The session of the token in an engine's response. Null if none was created because email verification is required,
 * auto sign-in is off, or a second factor is required.
 */
export const newSessionOf = async (
	ctx: GenericEndpointContext,
	token: unknown,
): Promise<Record<string, unknown> | null> => {
	const found = await newSession.get();
	if (!found || typeof token !== "string" || found.session.token !== token) return null;
	return parseSessionOutput(ctx.context.options, found.session);
};
