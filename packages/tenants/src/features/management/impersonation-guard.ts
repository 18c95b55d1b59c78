import type { GenericEndpointContext, HookEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { setShouldSkipSessionRefresh } from "better-auth/api";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { dispatchOf, noteDispatch } from "../../scope/pin/dispatch.ts";
import { carriesImpersonatedSession } from "../../scope/sessions/impersonated-session.ts";
import { keepImpersonationOff } from "./keep-impersonation-off.ts";

export type ImpersonationGuard = ReturnType<typeof createImpersonationGuard>;

/**
 * Restricts impersonated sessions. They are never extended and may call only the allowed endpoints. A password, a passkey, an
 * API key, an invitation or the token of another session would outlast the session, and so could an endpoint that the engine
 * adds later.
 *
 * Sign-in is refused too, because plugins use the session that the sign-in replaces: the anonymous plugin moves the data of
 * the anonymous user to the user who signs in, and deletes the anonymous user. The operator must sign out first.
 *
 * The guard does not check that the session is alive: the cookie cache would let a revoked one through.
 */
export const createImpersonationGuard = (allow: readonly string[], { isEnabled }: { isEnabled: boolean }) => {
	const allowed = new Set(allow);
	return {
		before: async (ctx: GenericEndpointContext): Promise<void> => {
			if (!(await carriesImpersonatedSession(ctx))) {
				// accessors make a context slower to read and to copy, so they are set only if impersonation is enabled
				if (isEnabled) keepImpersonationOff(ctx.context);
				return;
			}
			noteDispatch(ctx.context, { isImpersonated: true });
			await setShouldSkipSessionRefresh(true);
			// management endpoints refuse an impersonated session themselves, after they look for a key
			const { kind, allowedWhileImpersonating } = endpointOf(ctx.path);
			if (kind === "management" || allowedWhileImpersonating || allowed.has(ctx.path ?? "")) return;
			throw APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.IMPERSONATION_NOT_ALLOWED);
		},
	};
};

/**
 * Whether the session must be hidden from later hooks. The jwt plugin adds a token with its own lifetime to every response
 * about a session on the context. This includes a session that another plugin put into the headers after the guard ran.
 */
export const hidesSession = ({ context }: HookEndpointContext): boolean =>
	dispatchOf(context).isImpersonated || Boolean(context.session?.session.operatorId);
