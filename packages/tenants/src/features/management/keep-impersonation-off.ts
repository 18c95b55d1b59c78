import type { AuthContext, HookEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { guardProperty } from "../../lib/guarded-property.ts";
import { isImpersonatedSession } from "../../scope/sessions/impersonated-session.ts";

const NOT_ALLOWED = TENANT_AUTH_ERROR_CODES.IMPERSONATION_NOT_ALLOWED;

/**
 * Second line of defense. An impersonated session that the guard did not see in the request never becomes the session or the
 * new session of the context, wherever a plugin takes the token from (a body, a verification, an encrypted cookie).
 * `/tenant/impersonate` sets its session on a copy of the context.
 */
export const keepImpersonationOff = (context: AuthContext): void => {
	for (const name of ["session", "newSession"] as const) {
		guardProperty(context, name, (next) => {
			if (isImpersonatedSession(next?.session)) throw APIError.from("FORBIDDEN", NOT_ALLOWED);
			return next;
		});
	}
};

/** Whether an impersonated session was refused. The engine sets the cookies of a session before it names the session. */
export const refusedImpersonation = ({ context: { returned } }: HookEndpointContext): boolean =>
	returned instanceof APIError && returned.body?.code === NOT_ALLOWED.code;
