import { APIError, BetterAuthError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { isInRequest } from "../pin/request-record.ts";
import { rewritingErrors } from "../pin/rewritten-errors.ts";
import { closedByDatabase } from "./closed-by-database.ts";

/**
 * Wraps functions so that they throw 400 for a value that the database rejects: a NUL in a text, a text too long for an
 * index, a number or a date out of range. The engine passes such values on and would return 500.
 */
export const refusingValues = <Functions extends object>(functions: Functions): Functions =>
	rewritingErrors(functions, refusalOf);

/**
 * The error to throw instead of a database error: 400 for a rejected value, 403 or 404 for a row of a closed tenant, otherwise
 * the error itself.
 */
export const refusalOf = async (error: unknown, name: string): Promise<unknown> => {
	const closed = closedByDatabase(error);
	if (closed) return closed;
	// outside of a request, the developer must see the original error
	const isRefused = isRefusedValue(error) || (LISTINGS.has(name) && isUnknownField(error));
	if (!isRefused || !isInRequest()) return error;
	return APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
};

/** Callers choose the sort and filter fields of these. In other methods, an unknown field is an error of the server. */
const LISTINGS = new Set(["findMany", "count"]);

const isUnknownField = (error: unknown): boolean =>
	error instanceof BetterAuthError && /^Field .+ not found in model /.test(error.message);

/**
 * PostgreSQL's data exceptions (class 22) and its size limit of index entries (54000), and the matching codes of MySQL
 * and SQLite. A missing table or column (42…) is not included, because the caller did not cause it.
 */
const REFUSALS =
	/^(22...|54000|ER_(DATA_TOO_LONG|TRUNCATED_WRONG_VALUE.*|WARN_DATA_OUT_OF_RANGE|INVALID_CHARACTER_STRING|CANNOT_CONVERT_STRING)|SQLITE_(TOOBIG|MISMATCH))$/;

/** Whether the database rejected a value. Also true if the error is already translated to 400. */
export const isRefusedValue = (error: unknown): boolean => {
	if (typeof error !== "object" || error === null) return false;
	if (error instanceof APIError) return error.body?.code === TENANT_AUTH_ERROR_CODES.INVALID_VALUE.code;
	// thrown by the engine's adapter for `filterOperator=in` with a single value
	if (error instanceof BetterAuthError) return error.message === "Value must be an array";
	if ("code" in error && REFUSALS.test(String(error.code))) return true;
	// ORMs wrap the driver's error
	return "cause" in error && isRefusedValue(error.cause);
};
