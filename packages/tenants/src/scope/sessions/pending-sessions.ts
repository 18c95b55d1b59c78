import type { AuthContext, BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter, tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { Session, User } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { setShouldSkipSessionRefresh } from "better-auth/api";
import type { Endpoint, SessionProof } from "../../endpoints/endpoint.ts";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { isUserVerified } from "../../engine/passkey-flags.ts";
import { defineService } from "../../engine/service.ts";
import { trustedUserOf } from "../../engine/two-factor-plugin.ts";
import { SECOND_FACTOR_ERROR_CODES } from "../../errors/second-factor-error-codes.ts";
import { defineCallPart } from "../../lib/call.ts";
import { guardProperty } from "../../lib/guarded-property.ts";
import { dispatchOf, type FoundSession, type Lacking, noteDispatch, type Pending } from "../pin/dispatch.ts";
import { PLATFORM } from "../pin/platform.ts";
import { readTag } from "../pin/tag.ts";
import type { TenantContext } from "../pin/tenant-context.ts";
import { skippingCache } from "./cache-version.ts";
import { isImpersonatedSession } from "./impersonated-session.ts";
import { proofOf } from "./session-proof.ts";

/** Says what a session lacks, or null if it is complete. Synchronous, because it decides when the engine sets a session. */
export type Judge = (found: { user: User & Record<string, unknown>; proof: SessionProof | null }) => Lacking | null;

export type SessionRule = {
	/** The rule of a tenant's sessions. Null if they need no second factor. */
	ruleFor: (tenantId: string) => Promise<{ judge: Judge; trustsDevices: boolean } | null>;
	/** seconds that a session without its second factor lasts */
	maxAge: number;
};

/** The pending sessions that the running endpoint met or created. */
export const pendingOf = (context: object): Pending | undefined => dispatchOf(context).pending;

export type PendingSessions = ReturnType<typeof createPendingSessions>;

/** Keeps sessions that lack a second factor from being sessions. */
export const pendingSessionsOf = defineService<PendingSessions>("pendingSessions");

/**
 * Keeps sessions that lack a second factor from being sessions. Every session starts as lacking: only the mark of its token
 * says more. So a way to sign in that the engine adds later is covered, and sessions that exist when a tenant begins to
 * require a second factor are too.
 *
 * The guard stands where the engine reads a session and has its user, so it costs no query. Does nothing until a companion
 * sets a rule.
 */
export const createPendingSessions = (pin: Pick<TenantContext, "current">, adapter: DBAdapter) => {
	let rule: SessionRule | null = null;

	const ruleFor = async (tenantId: string) => (rule && tenantId !== PLATFORM ? rule.ruleFor(tenantId) : null);

	const completeOnly = async <One extends Session>(userId: string, sessions: One[]): Promise<One[]> => {
		const found = await ruleFor(pin.current());
		if (!found) return sessions;
		const where = [{ field: "id", value: userId }];
		const user = await (await getCurrentAdapter(adapter)).findOne<User>({ model: "user", where });
		return sessions.filter(
			(session) =>
				isImpersonatedSession(session) ||
				(user !== null && found.judge({ user: { ...user }, proof: proofOf(session.token) }) === null),
		);
	};

	return {
		/** Sets the rule. Called once, when a companion starts. */
		use: (given: SessionRule): void => {
			rule = given;
		},

		/** What the session that the running endpoint creates has proven. */
		currentProof: (): SessionProof | null => {
			if (!rule || pin.current() === PLATFORM) return null;
			return onTrustedDevice.now() ? "second-factor" : proofOfEndpoint();
		},

		/**
		 * Shortens a session that lacks a second factor, and one in place of an impersonated one, which ends with it. Costs one
		 * query per sign-in of a tenant that requires a second factor.
		 */
		onCreate: async (session: Session): Promise<{ expiresAt?: Date }> => {
			if (!rule) return {};
			const impersonated = impersonatedBefore(session.userId);
			if (!impersonated && (await completeOnly(session.userId, [session])).length > 0) return {};
			const end = impersonated ? new Date(impersonated.expiresAt) : new Date(Date.now() + rule.maxAge * 1000);
			return end < new Date(session.expiresAt) ? { expiresAt: end } : {};
		},

		/** The sessions of a user that lack no second factor. */
		completeOnly,

		/** Whether a user needs a second factor that this session has not proven. One that is gone has proven none. */
		lacksFactor: async (tenantId: string, user: User, session: () => Promise<Session | null>): Promise<boolean> => {
			const found = await ruleFor(tenantId);
			if (!found?.judge({ user: { ...user }, proof: null })) return false;
			const held = await session();
			return !held || lackingOf({ session: held, user }, tenantId, found.judge) !== null;
		},

		before: async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
			const found = await ruleFor(tenantId);
			// those of an endpoint that calls this one are its own
			if (pendingOf(ctx.context)) noteDispatch(ctx.context, { pending: undefined });
			if (!found) return;
			const endpoint = endpointOf(ctx.path);
			guardSessions(ctx.context, endpoint, (session) => lackingOf(session, tenantId, found.judge));
			// the engine would extend a session that may only set up a second factor
			if (endpoint.enrollsSecondFactor) await setShouldSkipSessionRefresh(true);
			if (found.trustsDevices && endpoint.kind !== "member") await honorTrustedDevice(ctx);
		},
	};
};

const lackingOf = ({ session, user }: FoundSession, tenantId: string, judge: Judge): Lacking | null => {
	// API keys stand in for sessions. Every session of a tenant has a token with its tag
	if (typeof session.token === "string" && readTag(session.token)?.tenantId !== tenantId) return null;
	if (isImpersonatedSession(session)) return null;
	return judge({ user, proof: typeof session.token === "string" ? proofOf(session.token) : null });
};

type Lacks = (found: FoundSession) => Lacking | null;

/**
 * The engine's properties are replaced, not its objects, so no other request is affected. Plugins copy the context (the
 * organization plugin for each endpoint), and these stay in the copies.
 */
const guardSessions = (context: AuthContext, endpoint: Endpoint, lacks: Lacks): void => {
	const pending: Pending = { met: null, isRefused: false, created: null };
	const { internalAdapter } = context;
	/** Throws for a session that lacks a second factor. The engine catches this where it looks for one, and finds none. */
	const admit = (found: FoundSession): FoundSession => {
		const lacking = hasEnded(found) ? null : lacks(found);
		if (!lacking) return found;
		pending.met = { ...found, lacks: lacking };
		// a user who has a second factor verifies it without a session: only then does the engine count wrong codes
		if (endpoint.enrollsSecondFactor && lacking === "enroll") return found;
		pending.isRefused = true;
		// null instead would delete the cookie
		throw APIError.from(
			endpoint.returnsSession ? "OK" : "UNAUTHORIZED",
			SECOND_FACTOR_ERROR_CODES.SECOND_FACTOR_REQUIRED,
		);
	};
	noteDispatch(context, { pending });
	Object.assign(context, {
		options: withoutCached(context.options, endpoint, lacks),
		internalAdapter: {
			...internalAdapter,
			findSession: async (token) => {
				const found = await internalAdapter.findSession(token);
				return found && admit(found);
			},
			findSessions: async (tokens, options) =>
				(await internalAdapter.findSessions(tokens, options)).filter((found) => !lacks(found)),
		} satisfies AuthContext["internalAdapter"],
	});
	// an endpoint that calls another one hands its session on
	if (context.session && lacks(context.session)) context.session = null;
	// hooks of plugins turn a new session into other credentials: codes, one-time tokens, cookies of their own
	guardProperty(context, "newSession", (found) => {
		const lacking = found ? lacks(found) : null;
		pending.created = found && lacking ? { ...found, lacks: lacking } : null;
		return lacking ? null : found;
	});
};

/** The options of an endpoint that takes no session without its second factor from the cookie cache. */
const withoutCached = (given: BetterAuthOptions, endpoint: Endpoint, lacks: Lacks): BetterAuthOptions => {
	const options = skippingCache(
		given,
		(session, user) => lacks({ session: session as Session, user: user as User }) !== null,
	);
	const cache = options.session?.cookieCache;
	// a cached user may not have the second factor that they set up meanwhile
	if (!cache?.enabled || !endpoint.enrollsSecondFactor) return options;
	return { ...options, session: { ...options.session, cookieCache: { ...cache, enabled: false } } };
};

const hasEnded = ({ session }: FoundSession): boolean => new Date(session.expiresAt) <= new Date();

const onTrustedDevice = defineCallPart<true>();

/**
 * Lets a device that the engine trusts skip the second factor of its user, on every way to sign in. The engine itself asks
 * for the device's cookie after a sign-in with a password only. Costs one query per sign-in with such a cookie.
 */
const honorTrustedDevice = async (ctx: GenericEndpointContext): Promise<void> => {
	const trusted = await trustedUserOf(ctx);
	if (!trusted) return;
	const { internalAdapter } = ctx.context;
	const createSession: typeof internalAdapter.createSession = (userId, ...rest) =>
		userId === trusted
			? onTrustedDevice.run(true, () => internalAdapter.createSession(userId, ...rest))
			: internalAdapter.createSession(userId, ...rest);
	Object.assign(ctx.context, { internalAdapter: { ...internalAdapter, createSession } });
};

/** A session of server code, outside of an endpoint, has proven nothing. */
const proofOfEndpoint = (): SessionProof | null => {
	const ctx = tryGetCurrentAuthEndpointContext();
	if (!ctx) return null;
	const { proves, renewsSession } = endpointOf(ctx.path);
	const token = ctx.context.session?.session.token;
	const held = token ? proofOf(token) : null;
	// an administrator who sets a second factor up for a user is still not the user
	if (renewsSession || (held === "impersonation" && proves === "second-factor")) return held;
	// the engine accepts passkeys without user verification: a key that anyone can use is one factor
	return proves === "passkey" && !isUserVerified(ctx.body) ? null : proves;
};

/** The session in which an administrator impersonates this user, if the running endpoint replaces it. */
const impersonatedBefore = (userId: string): Session | null => {
	const ctx = tryGetCurrentAuthEndpointContext();
	const session = ctx?.context.session?.session;
	if (!session || session.userId !== userId || proofOf(session.token) !== "impersonation") return null;
	const { renewsSession, proves } = endpointOf(ctx.path);
	return renewsSession || proves === "second-factor" ? session : null;
};
