import type { startIdentityProvider } from "test-kit/identity-provider";
import type { Inspect } from "./inspect.ts";
import type { Place } from "./place.ts";
import type { StatementId } from "./statements.ts";

/** Deployments that differ from the standard one in a single option of the application. */
export type Variant =
	| "resolver" // resolveTenantId returns the header x-conformance-resolve
	| "header" // tenantHeader is x-account
	| "withoutGlobal" // no socialProviders
	| "verification" // requireEmailVerification, mails are kept
	| "bare" // tenantAuth() without options
	| "basePath" // another base path than the standard one
	| "admin" // tenantAdmin() and tenantInvitations() with the admin plugin; mails are kept
	| "operators" // management by role, listed user and function
	| "otherSecret" // another auth secret
	| "publicHosts" // oauth.allowPrivateHosts is false
	| "policy" // tenantPolicy() without defaults
	| "secondFactor" // twoFactor(), tenantAdmin() and tenantPolicy()
	| "lifecycle" // tenantLifecycle()
	| "drainTime"; // deletion.drainTime is one second

/** What a check may use. Anything that the run cannot offer throws NotObservable. */
export type World = {
	/** The deployment under test. */
	standard: Place;
	at(variant: Variant): Place;
	/**
	 * The social provider that the application configured globally; `isPlayed` if the run's identity provider stands in
	 * for it.
	 */
	globalProvider(): { id: string; clientId: string; isPlayed: boolean };
	identityProvider(): IdentityProvider;
	inspect(): Inspect;
	/** The verification mail to an address. */
	mailTo(email: string): Promise<{ url: string }>;
	/** A platform user listed in `management.userIds` of the variant "operators". */
	listedOperator(): { email: string; password: string };
};

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

export type Check = {
	does: string;
	run: (world: World) => Promise<void>;
	/** Why the statement does not hold as it is written. The check asserts what holds instead. */
	deviation?: string;
};

export type Checks = Partial<Record<StatementId, Check>>;

/** One check: a description, and the code. */
export const check = (does: string, run: Check["run"]): Check => ({ does, run });

/**
 * A check of a statement from which the package deviates on purpose. It fails if the behavior is another one, also if it is
 * the stated one: then the deviation is gone, and with it the reason.
 */
export const deviates = (does: string, deviation: string, run: Check["run"]): Check => ({ does, run, deviation });

/** Neither passed nor failed: this run cannot observe the statement. */
export class NotObservable extends Error {
	override name = "NotObservable";
}
