import type { BetterAuthDBSchema } from "@better-auth/core/db";
import { APIError } from "@better-auth/core/error";
import { LIFECYCLE_ERROR_CODES } from "../../errors/lifecycle-error-codes.ts";

/** What a request may know of a tenant. A tenant that is being deleted counts as missing. */
export type TenantState = {
	status: "open" | "missing" | ClosedStatus;
	/** Sessions and links from before this time, in milliseconds, are dead. Null if they were never ended. */
	sessionsSince: number | null;
};

/** Closed by an operator, with all its data, until an operator restores it. */
export type ClosedStatus = "suspended" | "archived";

/** Finds the time before which a tenant's sessions are dead. */
export type SessionsSince = (tenantId: string) => Promise<number | null>;

export const isClosedStatus = (status: string | undefined): status is ClosedStatus =>
	status === "suspended" || status === "archived";

/**
 * The error for a closed tenant, for every caller. It says neither why nor since when. Everybody gets the same error: a
 * response that depends on the session would reveal whether a stolen session is valid.
 */
export const closedError = (status: ClosedStatus): APIError =>
	APIError.from(
		"FORBIDDEN",
		status === "suspended" ? LIFECYCLE_ERROR_CODES.TENANT_SUSPENDED : LIFECYCLE_ERROR_CODES.TENANT_ARCHIVED,
	);

/** Whether `tenantLifecycle()` is installed, which adds this column. */
export const hasLifecycle = (tables: BetterAuthDBSchema): boolean => tables.tenant?.fields.sessionsSince !== undefined;
