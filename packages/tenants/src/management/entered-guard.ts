import type { GenericEndpointContext, HookEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { setShouldSkipSessionRefresh } from "better-auth/api";
import { endpointOf } from "../engine/endpoints.ts";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { carriesEnteredSession } from "../scope/entered-session.ts";
import { keepVisitsOff } from "./keep-visits-off.ts";

/** On the context of a request that carries such a session. */
const ENTERED = Symbol("entered");

export type EnteredGuard = ReturnType<typeof createEnteredGuard>;

/**
 * Keeps a visit a visit. A session through which an operator entered a tenant ends when it was said to end, and calls no
 * endpoint but the allowed ones: a password, a passkey, an API key, an invitation or another session's token would all
 * outlast it, and so would what an endpoint offers that the engine has yet to add.
 *
 * Signing in is refused too: plugins act by the session that is left behind (the anonymous one hands a guest's data to
 * whoever signs in beside it, and deletes the guest). Who wants to do that signs out first.
 *
 * Whether the session is still alive is not asked: the cookie cache would let a revoked one through.
 */
export const createEnteredGuard = (allow: readonly string[], { isEnterable }: { isEnterable: boolean }) => {
	const allowed = new Set(allow);
	return {
		before: async (ctx: GenericEndpointContext): Promise<void> => {
			if (!(await carriesEnteredSession(ctx))) {
				// a context with accessors is slower to read and to copy, which nobody pays for where there are no visits
				if (isEnterable) keepVisitsOff(ctx.context);
				return;
			}
			Object.assign(ctx.context, { [ENTERED]: true });
			await setShouldSkipSessionRefresh(true);
			// those refuse an entered session themselves, after they looked for a key
			const { kind, allowedWhileEntered } = endpointOf(ctx.path);
			if (kind === "management" || allowedWhileEntered || allowed.has(ctx.path ?? "")) return;
			throw APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.ENTERED_SESSION_NOT_ALLOWED);
		},
	};
};

/**
 * The jwt plugin adds a token of its own life to every answer about a session it finds on the context. Also one that
 * another plugin has put into the headers after the request was looked at.
 */
export const hidesSession = ({ path, context }: HookEndpointContext): boolean =>
	endpointOf(path).returnsSession && (ENTERED in context || Boolean(context.session?.session.enteredBy));
