import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import type { SecondaryStorage } from "@better-auth/core/db";
import { endpointOf } from "../endpoints/endpoints.ts";
import { createHook } from "../engine/hook.ts";
import type { Step } from "../engine/in-steps.ts";
import { madeSessionForAnother, rememberNewSession } from "../features/email/new-session.ts";
import type { createResponseFloor } from "../features/email/response-floor.ts";
import { tellsOfCode, unifyCodes } from "../features/email/uniform-code-response.ts";
import { unifySignUpResponses } from "../features/email/uniform-sign-up-response.ts";
import { hidesSession } from "../features/management/impersonation-guard.ts";
import { refusedImpersonation } from "../features/management/keep-impersonation-off.ts";
import { distrustDevices, removedSecondFactor } from "../features/second-factor/end-trusted-devices.ts";
import {
	completedPending,
	createdPending,
	endPending,
	metPending,
	refusePending,
	respondToPending,
} from "../features/second-factor/respond-to-pending.ts";
import { respondToProof, touchedUnproven } from "../features/unproven/respond-to-proof.ts";
import { addTenantClaim, returnsClaims } from "../scope/compose/returned-claims.ts";
import type { ScopedMethods } from "../scope/data/adapter.ts";
import { exposesCause, hideCause, metOutage, respondToOutage } from "../scope/pin/outage.ts";
import type { TenantContext } from "../scope/pin/tenant-context.ts";
import { mayChangeResponse, requestScopeOf } from "../scope/request/request-scope.ts";
import { endOtherDeviceSessions, signsOutDevice } from "../scope/sessions/other-device-sessions.ts";
import { mayRenewCookies, renewCookies } from "../scope/sessions/renewed-cookies.ts";

type Check = (ctx: GenericEndpointContext, tenantId: string) => void | Promise<void>;
type Layer = (methods: ScopedMethods) => ScopedMethods;
type AdapterLayer =
	| "sealProviders"
	| "readAllSessions"
	| "guardSigningKeys"
	| "endCopies"
	| "guardUsers"
	| "guardApiKeys"
	| "closePlatform"
	| "requireCopies"
	| "endUnproven"
	| "bound"
	| "renameCounters";
type StorageWrap = (storage: SecondaryStorage) => SecondaryStorage;
type StorageLayer = "scope" | "boundValues" | "refuseLostUsers" | "hideEnded" | "guardCompanions" | "guardApiKeys";
type EngineStorageLayer = "keepListsWhole" | "decideByDatabase" | "noticeFailures" | "charge";

/** What happens to a request once its tenant is pinned, in order. Each step says why it stands where it does. */
export const checks = (part: {
	orderConsumption: () => void;
	countRequest: Check;
	assertPlatformOpen: Check;
	restrictImpersonation: Check;
	withholdPending: Check;
	skipCachedSessions: Check;
	guardGrants: Check;
	prepareProviders: Check;
	assertPasskeyOrigin: Check;
	nameTenant: Check;
	standInLine: Check;
}): Check[] => [
	// of the process, not of the request: before anything can consume a row
	part.orderConsumption,
	// before everything that costs a statement
	part.countRequest,
	// what is refused takes no place in the queue, and reads nothing
	part.assertPlatformOpen,
	part.restrictImpersonation,
	// before whatever asks for the session of the request
	part.withholdPending,
	// replaces options that the step above has replaced
	part.skipCachedSessions,
	part.guardGrants,
	// what needs the database or another server: only for requests that nothing above refuses
	part.prepareProviders,
	part.assertPasskeyOrigin,
	part.nameTenant,
	// last: a request that takes a place and is refused afterwards would keep it until its end
	part.standInLine,
];

/** Wraps the methods of the scoped adapter, the innermost first: each sees what those after it ask, and answers them. */
export const adapterLayers = (part: Record<AdapterLayer, Layer>): Layer[] => [
	// all others see opened settings
	part.sealProviders,
	part.readAllSessions,
	part.guardSigningKeys,
	// after the row is gone, and in the same step
	part.endCopies,
	// before the row, in its transaction: whoever acts must still have the right
	part.guardUsers,
	// reads users with the guard above
	part.guardApiKeys,
	// what the platform refuses reaches no companion
	part.closePlatform,
	// asks the storage before a user changes: none of the layers above may have written then
	part.requireCopies,
	// ends ways in with the layers above, in the transaction that verifies the address
	part.endUnproven,
	// refuses what stores too much before any layer has asked the database
	part.bound,
	// the engine's own counters: no layer needs to know their new names
	part.renameCounters,
];

/** Wraps the secondary storage, the innermost first. What the plugin itself stores and asks passes these. */
export const storageLayers = (part: Record<StorageLayer, StorageWrap>): StorageWrap[] => [
	// keys get their tenant: all others use the names of the engine
	part.scope,
	// below what hides values, so that nothing is stored that is too long
	part.boundValues,
	part.refuseLostUsers,
	part.hideEnded,
	// companions and API keys ask for users and sessions that exist
	part.guardCompanions,
	part.guardApiKeys,
];

/** The same for what the engine stores and asks. */
export const engineStorageLayers = (part: Record<EngineStorageLayer, StorageWrap>): StorageWrap[] => [
	// below what reads the lists. Where the database has the sessions, it makes them whole
	part.keepListsWhole,
	// the database decides which of the sessions exist
	part.decideByDatabase,
	// an outage of the database counts like one of the storage
	part.noticeFailures,
	// refuses what stores too much before anything is asked. Outside of it, `limits/sessions-per-user.ts` ends the oldest of the lists
	// that these have completed, and counts through them
	part.charge,
];

/** Wraps something in layers, the innermost first. */
export const wrapIn = <Wrapped>(layers: ((inner: Wrapped) => Wrapped)[], innermost: Wrapped): Wrapped =>
	layers.reduce((inner, layer) => layer(inner), innermost);

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
		handler: createAuthMiddleware(async (ctx) => requestScopeOf(ctx).after(ctx)),
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
