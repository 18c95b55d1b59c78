import { hasRequestState } from "@better-auth/core/context";
import { APIError, BetterAuthError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { rewritingErrors } from "./rewritten-errors.ts";

/**
 * The same functions, which answer 400 where the database takes no such value: a NUL in a text, a text too long for an
 * index, a number or a date out of range. The engine hands on what a caller sent and would answer 500.
 */
export const refusingValues = <Functions extends object>(functions: Functions): Functions =>
	rewritingErrors(functions, refusalOf);

/** What is thrown in place of a database's error: 400 where it takes no such value, else the error itself. */
export const refusalOf = async (error: unknown, name: string): Promise<unknown> => {
	// outside of any request no caller sent it: whoever runs the code has to see what happened
	const isRefused = isRefusedValue(error) || (LISTINGS.has(name) && isUnknownField(error));
	if (!isRefused || !(await hasRequestState())) return error;
	return APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
};

/** Callers choose what these are sorted and filtered by. Elsewhere an unknown field is a mistake of the server's. */
const LISTINGS = new Set(["findMany", "count"]);

const isUnknownField = (error: unknown): boolean =>
	error instanceof BetterAuthError && /^Field .+ not found in model /.test(error.message);

/**
 * PostgreSQL's data exceptions (class 22) and its bound on index entries (54000); MySQL's and SQLite's names for the same.
 * A missing table or column (42…) is not among them: that is no caller's fault.
 */
const REFUSALS =
	/^(22...|54000|ER_(DATA_TOO_LONG|TRUNCATED_WRONG_VALUE.*|WARN_DATA_OUT_OF_RANGE|INVALID_CHARACTER_STRING|CANNOT_CONVERT_STRING)|SQLITE_(TOOBIG|MISMATCH))$/;

/** Whether the database answered that it takes no such value; also when that is already an answer of ours. */
export const isRefusedValue = (error: unknown): boolean => {
	if (typeof error !== "object" || error === null) return false;
	if (error instanceof APIError) return error.body?.code === TENANT_AUTH_ERROR_CODES.INVALID_VALUE.code;
	// the engine's adapter, where a list was announced (`filterOperator=in`) and one value came
	if (error instanceof BetterAuthError) return error.message === "Value must be an array";
	if ("code" in error && REFUSALS.test(String(error.code))) return true;
	// ORMs wrap the driver's error
	return "cause" in error && isRefusedValue(error.cause);
};
