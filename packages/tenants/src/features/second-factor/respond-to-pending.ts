import type { HookEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { isAPIError } from "better-auth/api";
import { endpointOf } from "../../endpoints/endpoints.ts";
import type { HookContext } from "../../engine/hook.ts";
import { SECOND_FACTOR_ERROR_CODES } from "../../errors/second-factor-error-codes.ts";
import { dispatchOf, type Lacking } from "../../scope/pin/dispatch.ts";
import { metOutage } from "../../scope/pin/outage.ts";
import { pendingOf } from "../../scope/sessions/pending-sessions.ts";
import { beginChallenge } from "./begin-challenge.ts";

/** Says what the session lacks, in the response of `/get-session` and in the URL of a redirect. */
const HINT_HEADER = "x-second-factor";
const HINT_PARAMETER = "second_factor";

/** Whether the endpoint created a session that lacks a second factor. */
export const createdPending = ({ context }: HookEndpointContext): boolean => Boolean(pendingOf(context)?.created);

/**
 * Says what is missing in place of the session and its user. A user with a second factor gets the two-factor plugin's own
 * challenge; a user without one keeps a session that can only set one up.
 */
export const respondToPending = createAuthMiddleware(async (ctx: HookContext) => {
	const created = pendingOf(ctx.context)?.created;
	if (!created) return undefined;
	const { returned, responseHeaders } = ctx.context;
	const { sessionToken, sessionData } = ctx.context.authCookies;
	dropCookie(responseHeaders, sessionData.name);
	const isInCookie = responseHeaders?.getSetCookie().some((cookie) => cookie.startsWith(`${sessionToken.name}=`));
	const { lacks } = created;
	const asked =
		lacks === "verify"
			? await beginChallenge(ctx, created)
			: { twoFactorRedirect: true as const, twoFactorMethods: [] };
	// an application may read the cached session without this server
	if (lacks === "enroll") ctx.setCookie(sessionData.name, "", { ...sessionData.attributes, maxAge: 0 });
	const location = responseHeaders?.get("location");
	if (location) ctx.setHeader("location", withHint(location, lacks));
	// a redirect, or an error after the session was created
	if (isAPIError(returned)) return undefined;
	const response = { ...asked, secondFactor: lacks };
	// the secret of a new second factor is in this response
	if (endpointOf(ctx.path).enrollsSecondFactor) return { ...asObject(returned), ...response };
	return lacks === "enroll" && !isInCookie
		? { ...onlyToken(asObject(returned), created.session.token), ...response }
		: response;
});

/** Whether the request carries a session that lacks a second factor, and would have needed a complete one. */
export const metPending = ({ path, context }: HookEndpointContext): boolean => {
	const pending = pendingOf(context);
	if (!pending?.met) return false;
	if (endpointOf(path).returnsSession) return true;
	const status = statusOf(context.returned);
	// the OAuth provider takes the refusal for a failure of the database
	return status === 401 || (status === 500 && pending.isRefused && !metOutage());
};

/** Says that the second factor is missing, where the engine says that nobody is signed in. */
export const refusePending = createAuthMiddleware(async (ctx: HookContext) => {
	const met = pendingOf(ctx.context)?.met;
	if (!met) return undefined;
	ctx.setHeader(HINT_HEADER, met.lacks);
	const exposed = ctx.context.responseHeaders?.get("access-control-expose-headers");
	ctx.setHeader("access-control-expose-headers", exposed ? `${exposed}, ${HINT_HEADER}` : HINT_HEADER);
	if (endpointOf(ctx.path).returnsSession) return null;
	const { code, message } = SECOND_FACTOR_ERROR_CODES.SECOND_FACTOR_REQUIRED;
	// the engine would send an error of this hook with the status of the endpoint's own
	if (statusOf(ctx.context.returned) !== 401 && ctx.request && !dispatchOf(ctx.context).isDelegated)
		return Response.json({ code, message }, { status: 401 });
	throw APIError.from("UNAUTHORIZED", { code, message });
});

const statusOf = (returned: unknown): number | null => (isAPIError(returned) ? returned.statusCode : null);

/** Whether the user of a session that lacked a second factor has verified it. */
export const completedPending = ({ context }: HookEndpointContext): boolean =>
	pendingOf(context)?.met?.user.id === context.newSession?.user.id;

/** Ends the session that lacked a second factor. The engine created a new one. */
export const endPending = async ({ context }: HookContext): Promise<void> => {
	const token = pendingOf(context)?.met?.session.token;
	if (token && token !== context.newSession?.session.token) await context.internalAdapter.deleteSession(token);
};

const asObject = (returned: unknown): object => (typeof returned === "object" && returned !== null ? returned : {});

/** Clients without cookies (devices) read the token from the body. They need it to set up a second factor. */
const onlyToken = (returned: object, token: string): object =>
	Object.fromEntries(Object.entries(returned).filter(([, value]) => value === token));

const withHint = (location: string, lacks: Lacking): string => {
	const [address = "", fragment] = location.split("#", 2);
	const hinted = `${address}${address.includes("?") ? "&" : "?"}${HINT_PARAMETER}=${lacks}`;
	return fragment === undefined ? hinted : `${hinted}#${fragment}`;
};

/** Removes a cookie and its chunks from a response. */
const dropCookie = (headers: Headers | undefined, name: string): void => {
	const kept = headers
		?.getSetCookie()
		.filter((cookie) => !cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}.`));
	headers?.delete("set-cookie");
	for (const cookie of kept ?? []) headers?.append("set-cookie", cookie);
};
