import type { AuthContext } from "@better-auth/core";

export type FoundSession = NonNullable<AuthContext["session"]>;

/** What a session lacks: the user must verify their second factor, or set one up first. */
export type Lacking = "verify" | "enroll";
export type PendingSession = FoundSession & { lacks: Lacking };

/** The session that the request carries, whether the endpoint was refused it, and the one that the endpoint created. */
export type Pending = { met: PendingSession | null; isRefused: boolean; created: PendingSession | null };

/**
 * What is known of one dispatch. A request has several, if an endpoint calls another one or an application calls `auth.api`. Better
 * Auth copies the context for each, so one inside another begins with what is known of the outer one.
 */
export type Dispatch = {
	/** the tenant whose secrets and instances the context has */
	readonly tenantId?: string;
	/** another endpoint called this one: it throws errors instead of returning a response */
	readonly isDelegated?: true;
	/** the base URL and the trusted origins are those of the host */
	readonly isPlaced?: true;
	/** the request carries an impersonated session */
	readonly isImpersonated?: true;
	/** the cookies that were signed again */
	readonly reSigned?: readonly string[];
	/** its sessions without a second factor; each dispatch has its own */
	readonly pending?: Pending | undefined;
};

const DISPATCH = Symbol("dispatch");

export const dispatchOf = (context: object): Dispatch => (DISPATCH in context ? (context[DISPATCH] as Dispatch) : {});

/** Notes something of one dispatch. Those that have copied its context before do not see it. */
export const noteDispatch = (context: object, noted: Dispatch): void => {
	Object.assign(context, { [DISPATCH]: { ...dispatchOf(context), ...noted } });
};
