import type { GenericEndpointContext, HookEndpointContext } from "@better-auth/core";
import { defineRequestState } from "@better-auth/core/context";
import type { Session, User } from "@better-auth/core/db";
import { parseSessionOutput } from "better-auth/db";
import { createHook } from "../engine/hook.ts";
import { DELEGATED } from "../scope/outage.ts";

type NewSession = { session: Session; user: User };

/** Each dispatch has its own copy of the context, so the session made by a delegated endpoint is kept in the request. */
const made = defineRequestState<NewSession | null>(() => null);

/** Whether an endpoint that another one called has made a session. */
export const madeSessionForAnother = ({ context }: HookEndpointContext): boolean =>
	DELEGATED in context && Boolean(context.newSession);

/** Remembers the session that an endpoint of the engine made. */
export const rememberNewSession = createHook(async ({ context }) => {
	await made.set(context.newSession);
});

/**
 * The session behind the token in an engine's answer. Null where none was made: verification is required, auto sign-in
 * is off, or a second factor is asked for.
 */
export const newSessionOf = async (
	ctx: GenericEndpointContext,
	token: unknown,
): Promise<Record<string, unknown> | null> => {
	const found = await made.get();
	if (!found || typeof token !== "string" || found.session.token !== token) return null;
	return parseSessionOutput(ctx.context.options, found.session);
};
