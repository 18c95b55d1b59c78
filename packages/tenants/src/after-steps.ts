import { createAuthMiddleware } from "@better-auth/core/api";
import { addTenantClaim, returnsClaims } from "./compose/returned-claims.ts";
import { tellsOfCode, unifyCodes } from "./email/alike-codes.ts";
import { unifySignUpResponses } from "./email/alike-sign-ups.ts";
import { madeSessionForAnother, rememberNewSession } from "./email/new-session.ts";
import type { createResponseFloor } from "./email/response-floor.ts";
import { endpointOf } from "./engine/endpoints.ts";
import { createHook } from "./engine/hook.ts";
import type { Step } from "./engine/in-steps.ts";
import { hidesSession } from "./management/impersonation-guard.ts";
import { refusedImpersonation } from "./management/keep-impersonation-off.ts";
import { endOtherDeviceSessions, signsOutDevice } from "./scope/other-device-sessions.ts";
import { exposesCause, hideCause, metOutage, respondToOutage } from "./scope/outage.ts";
import { mayRenewCookies, renewCookies } from "./scope/renewed-cookies.ts";
import { mayChangeResponse } from "./scope/request-scope.ts";
import type { TenantContext } from "./scope/tenant-context.ts";
import { distrustDevices, removedSecondFactor } from "./second-factor/end-trusted-devices.ts";
import {
	completedPending,
	createdPending,
	endPending,
	metPending,
	refusePending,
	respondToPending,
} from "./second-factor/respond-to-pending.ts";
import { servicesOf } from "./services.ts";
import { respondToProof, touchedUnproven } from "./unproven/respond-to-proof.ts";

/** What happens to a response, in order. Each step says why it stands where it does. */
export const afterSteps = (pin: TenantContext, responseFloor: ReturnType<typeof createResponseFloor>): Step[] => [
	// before other steps set cookies: it looks whether Better Auth has set the session's itself
	{ matcher: mayRenewCookies, handler: createAuthMiddleware(renewCookies) },
	// removes all cookies of the endpoint, and must not remove those of later steps
	{
		matcher: refusedImpersonation,
		handler: createHook(async ({ context }) => context.responseHeaders?.delete("set-cookie")),
	},
	// what reveals an account is made alike before anything reads the shape of the response
	{ matcher: ({ path }) => endpointOf(path).signsUp, handler: unifySignUpResponses(pin.current) },
	{ matcher: tellsOfCode, handler: createHook(unifyCodes) },
	{ matcher: returnsClaims, handler: addTenantClaim(pin.current) },
	// before the session is hidden at the end
	{ matcher: madeSessionForAnother, handler: rememberNewSession },
	{
		matcher: mayChangeResponse,
		handler: createAuthMiddleware(async (ctx) => servicesOf(ctx).requestScope.after(ctx)),
	},
	{ matcher: touchedUnproven, handler: respondToProof },
	{ matcher: signsOutDevice, handler: endOtherDeviceSessions },
	// after the sign-up's response is alike, because it reads whether there is a session, and after what takes time
	{ matcher: responseFloor.matcher, handler: responseFloor.after },
	{ matcher: exposesCause, handler: createHook(hideCause) },
	// after all that may fail, and before a missing second factor, which is no reason for a 503
	{ matcher: metOutage, handler: createHook(respondToOutage) },
	// before a created session is replaced by what it lacks
	{ matcher: removedSecondFactor, handler: createHook(distrustDevices) },
	{ matcher: createdPending, handler: respondToPending },
	{ matcher: metPending, handler: refusePending },
	{ matcher: completedPending, handler: createHook(endPending) },
	// last: the steps above read the session and the new session
	{
		matcher: hidesSession,
		handler: createHook(async ({ context }) => {
			context.session = null;
			context.newSession = null;
		}),
	},
];
