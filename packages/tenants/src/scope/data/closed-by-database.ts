import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { closedError, isClosedStatus } from "../pin/tenant-state.ts";

/** What the triggers of the database say. The status of the tenant follows. */
export const NOT_OPEN = "BETTER_AUTH_TENANT_NOT_OPEN";

/** The error to throw if the database refused a row because its tenant is closed. Null for any other error. */
export const closedByDatabase = (error: unknown): APIError | null => {
	const status = statusIn(error);
	if (status === null) return null;
	if (isClosedStatus(status)) return closedError(status);
	return APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
};

const REFUSAL = new RegExp(`${NOT_OPEN}:([a-z]+)`);

const statusIn = (error: unknown): string | null => {
	if (!(error instanceof Error) || error instanceof APIError) return null;
	// ORMs wrap the driver's error
	return REFUSAL.exec(error.message)?.[1] ?? statusIn(error.cause);
};
