import type { AuthContext, HookEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { isEnteredSession } from "../scope/entered-session.ts";

const NOT_ALLOWED = TENANT_AUTH_ERROR_CODES.ENTERED_SESSION_NOT_ALLOWED;

/**
 * Second line of defense: a visit that the request did not show becomes neither its session nor a new one, wherever a
 * plugin takes the token from (a body, a verification, an encrypted cookie). `/tenant/enter` makes a visit active on a
 * context of its own.
 */
export const keepVisitsOff = (context: AuthContext): void => {
	for (const name of ["session", "newSession"] as const) {
		let held = context[name];
		const hold = (next: typeof held): void => {
			if (isEnteredSession(next?.session)) throw APIError.from("FORBIDDEN", NOT_ALLOWED);
			held = next;
		};
		hold(held);
		Object.defineProperty(context, name, { configurable: true, enumerable: true, get: () => held, set: hold });
	}
};

/** Whether a visit was refused there. The engine sets a session's cookies before it names the session. */
export const refusedVisit = ({ context: { returned } }: HookEndpointContext): boolean =>
	returned instanceof APIError && returned.body?.code === NOT_ALLOWED.code;
