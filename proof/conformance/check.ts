import type { startIdentityProvider } from "test-kit/identity-provider";
import type { Inspect } from "./inspect.ts";
import type { Place } from "./place.ts";
import type { StatementId } from "./statements.ts";

/** Deployments that differ from the standard one in a single option of the application. */
export type Variant =
	| "resolver" // resolveTenantId answers the header x-conformance-resolve
	| "header" // tenantHeader is x-account
	| "withoutGlobal" // no socialProviders
	| "verification" // requireEmailVerification, mails are kept
	| "bare" // tenantAuth() without options
	| "basePath" // another base path than the standard one
	| "operators" // management by role, listed user and function
	| "publicHosts"; // oauth.allowPrivateHosts is false

/** What a check may look at. Whatever the run cannot offer throws NotObservable when it is asked for. */
export type World = {
	/** The deployment under test. */
	standard: Place;
	at(variant: Variant): Place;
	/** The social provider that the application configured globally; `isPlayed` by the identity provider of the run. */
	globalProvider(): { id: string; clientId: string; isPlayed: boolean };
	identityProvider(): IdentityProvider;
	inspect(): Inspect;
	/** The verification mail that was sent to an address. */
	mailTo(email: string): Promise<{ url: string }>;
	/** A platform user who is named in `management.userIds` of the variant "operators". */
	listedOperator(): { email: string; password: string };
};

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

export type Check = { does: string; run: (world: World) => Promise<void> };

export type Checks = Partial<Record<StatementId, Check>>;

/** One check: what it does in a reader's words, and the doing. */
export const check = (does: string, run: Check["run"]): Check => ({ does, run });

/** Neither passed nor failed: this run has no way to see whether the statement holds. */
export class NotObservable extends Error {
	override name = "NotObservable";
}
