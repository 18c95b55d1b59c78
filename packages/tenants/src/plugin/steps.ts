import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import type { SecondaryStorage } from "@better-auth/core/db";
import { type ForEndpoints, planned } from "../endpoints/planned.ts";
import { createHook } from "../engine/hook.ts";
import type { Step } from "../engine/in-steps.ts";
import { madeSessionForAnother, rememberNewSession } from "../features/email/new-session.ts";
import type { createResponseFloor } from "../features/email/response-floor.ts";
import { takesMailedCode, tellsOfCode, unifyCodes } from "../features/email/uniform-code-response.ts";
import { unifySignUpResponses } from "../features/email/uniform-sign-up-response.ts";
import { hidesSession } from "../features/management/impersonation-guard.ts";
import { refusedImpersonation } from "../features/management/keep-impersonation-off.ts";
import { distrustDevices } from "../features/second-factor/end-trusted-devices.ts";
import {
	completedPending,
	createdPending,
	endPending,
	metPending,
	refusePending,
	respondToPending,
} from "../features/second-factor/respond-to-pending.ts";
import { respondToProof, touchedUnproven } from "../features/unproven/respond-to-proof.ts";
import { addTenantClaim } from "../scope/compose/returned-claims.ts";
import type { ScopedMethods } from "../scope/data/adapter.ts";
import { exposesCause, hideCause, metOutage, respondToOutage } from "../scope/pin/outage.ts";
import type { TenantContext } from "../scope/pin/tenant-context.ts";
import { mayChangeResponse, requestScopeOf } from "../scope/request/request-scope.ts";
import { endOtherDeviceSessions, signsOutDevice } from "../scope/sessions/other-device-sessions.ts";
import { mayRenewCookies, renewCookies } from "../scope/sessions/renewed-cookies.ts";

type Check = (ctx: GenericEndpointContext, tenantId: string) => void | Promise<void>;
type Layer = (methods: ScopedMethods) => ScopedMethods;
type AdapterLayer =
	| "cacheSessions"
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

// Where the order matters, a comment says so with "must", and a test fails if it changes (proof/isolation/mutants/order-defenses.ts).
// All other steps look at different requests, tables or keys, or check again what they rely on: each holds wherever it stands. They
// are in the order in which a reader meets them.
//
// `at` says for which endpoints a step is. Steps of the others do not run.

/** What happens to a request once its tenant is pinned, in order. */
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
}) =>
	planned<ForEndpoints & { run: Check }>([
		// of the process, not of the request
		{ run: part.orderConsumption },
		// must come before what needs the database or another server: a request over a limit costs neither
		{ run: part.countRequest },
		// refuse
		{ run: part.assertPlatformOpen, at: ({ signsUp, hashesPassword }) => signsUp || hashesPassword },
		{ run: part.restrictImpersonation },
		// replace what the endpoint asks for a session, a cached session and a grant. Each wraps what it finds
		{ run: part.withholdPending },
		{ run: part.skipCachedSessions, at: ({ issuesTokens, returnsSession }) => issuesTokens || returnsSession },
		{ run: part.guardGrants, at: ({ approvesDevices, redeemsGrants }) => approvesDevices || redeemsGrants },
		// must come after `countRequest`
		{ run: part.prepareProviders },
		{ run: part.assertPasskeyOrigin, at: ({ verifiesPasskey }) => verifiesPasskey },
		{ run: part.nameTenant, at: ({ showsAppName }) => showsAppName },
		// last: a request that takes a place and is refused afterwards keeps it until its end
		{ run: part.standInLine, at: ({ hashesPassword }) => hashesPassword },
	]);

/** Wraps the methods of the scoped adapter, the innermost first: each sees what those after it ask, and answers them. */
export const adapterLayers = (part: Record<AdapterLayer, Layer>): Layer[] => [
	// the innermost: all others see what the database has, wherever it was read
	part.cacheSessions,
	// SSO providers, sessions and signing keys: each has a table of its own
	part.sealProviders,
	part.readAllSessions,
	part.guardSigningKeys,
	// after the row is gone, and in the same step
	part.endCopies,
	// users: whoever acts must still have the right, and a lock holds it until the transaction ends
	part.guardUsers,
	part.guardApiKeys,
	part.closePlatform,
	part.requireCopies,
	part.endUnproven,
	// outside of those that ask the database: what stores too much is refused before
	part.bound,
	// the engine's own counters
	part.renameCounters,
];

/** Wraps the secondary storage, the innermost first. What the plugin itself stores and asks passes these. */
export const storageLayers = (part: Record<StorageLayer, StorageWrap>): StorageWrap[] => [
	// must be the innermost: it adds the tenant to keys, and all others know keys by the names of the engine
	part.scope,
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

/** What happens to a response, in order. */
export const afterSteps = (pin: TenantContext, responseFloor: ReturnType<typeof createResponseFloor>) =>
	planned<ForEndpoints & Step>([
		// looks whether Better Auth has set the session's cookies itself
		{
			at: ({ returnsSession }) => returnsSession,
			matcher: mayRenewCookies,
			handler: createAuthMiddleware(renewCookies),
		},
		// removes all cookies of the endpoint
		{
			matcher: refusedImpersonation,
			handler: createHook(async ({ context }) => context.responseHeaders?.delete("set-cookie")),
		},
		// what reveals an account is made alike
		{ at: ({ signsUp }) => signsUp, matcher: always, handler: unifySignUpResponses(pin.current) },
		{ at: takesMailedCode, matcher: tellsOfCode, handler: createHook(unifyCodes) },
		{ at: ({ returnsClaims }) => returnsClaims, matcher: always, handler: addTenantClaim(pin.current) },
		{ matcher: madeSessionForAnother, handler: rememberNewSession },
		{
			matcher: mayChangeResponse,
			handler: createAuthMiddleware(async (ctx) => requestScopeOf(ctx).after(ctx)),
		},
		{ matcher: touchedUnproven, handler: respondToProof },
		{ at: ({ signsOut }) => signsOut, matcher: signsOutDevice, handler: endOtherDeviceSessions },
		// after what takes time
		{ at: responseFloor.at, matcher: always, handler: responseFloor.after },
		{ matcher: exposesCause, handler: createHook(hideCause) },
		// after all that may fail
		{ matcher: metOutage, handler: createHook(respondToOutage) },
		{ at: ({ removesSecondFactor }) => removesSecondFactor, matcher: always, handler: createHook(distrustDevices) },
		// a missing second factor is no reason for a 503, and an outage none for a 401: both look for the other
		{ matcher: createdPending, handler: respondToPending },
		{ matcher: metPending, handler: refusePending },
		{ at: ({ proves }) => proves === "second-factor", matcher: completedPending, handler: createHook(endPending) },
		// for hooks of other plugins, which come after this one
		{
			at: ({ returnsSession }) => returnsSession,
			matcher: hidesSession,
			handler: createHook(async ({ context }) => {
				context.session = null;
				context.newSession = null;
			}),
		},
	]);

const always = (): boolean => true;
