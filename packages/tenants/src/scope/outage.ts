import { defineRequestState, hasRequestState } from "@better-auth/core/context";
import { APIError, BetterAuthError } from "@better-auth/core/error";
import { endpointOf } from "../engine/endpoints.ts";
import { peekState } from "../engine/request-state.ts";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { rewritingErrors } from "./rewritten-errors.ts";

/** Whether the database or the storage failed in this request. */
const failed = defineRequestState<boolean>(() => false);

/** The same functions, whose failures their request remembers. */
export const noticingFailures = <Functions extends object>(functions: Functions): Functions =>
	rewritingErrors(functions, noticeFailure);

/** The same error; the running request remembers that the database or the storage failed, unless it did answer. */
export const noticeFailure = async (error: unknown): Promise<unknown> => {
	if (!isAnswer(error) && (await hasRequestState())) await failed.set(true);
	return error;
};

type Answered = {
	path?: string | undefined;
	request?: Request | undefined;
	context: { returned?: unknown; responseHeaders?: Headers | undefined };
};

/** On the context of an endpoint that another one called: it is thrown to, not answered to. */
export const DELEGATED = Symbol("delegated");

/** Whether the running request met a database or a storage that failed. */
export const metOutage = (): boolean => peekState(failed) === true;

/**
 * Answers 503 where the engine took a database that does not answer for an answer. It calls a live session missing (401)
 * and a sign-up invalid (422), so that clients give up and sign their people out; and it acknowledges a sign-out that
 * ended nothing. Who is told 503 comes again, with the cookies he has.
 */
export const answerOutage = async ({ path, request, context }: Answered): Promise<Response | undefined> => {
	if (!metOutage()) return undefined;
	const { returned, responseHeaders } = context;
	const isRefusal = returned instanceof APIError && returned.statusCode >= 400 && returned.statusCode < 500;
	if (!isRefusal && !endpointOf(path).signsOut) return undefined;
	responseHeaders?.delete("set-cookie");
	const { code, message } = TENANT_AUTH_ERROR_CODES.STORE_UNAVAILABLE;
	if (!request || DELEGATED in context) throw APIError.from("SERVICE_UNAVAILABLE", { code, message });
	// the engine would send an error of ours with the status of the one it had
	return Response.json(
		{ code, message },
		{ status: 503, headers: { "cache-control": "no-store", "retry-after": "1" } },
	);
};

/** The database did answer: a row is there already or may not be, or a value does not fit its column. */
const isAnswer = (error: unknown): boolean =>
	error instanceof APIError || error instanceof BetterAuthError || isDatabaseAnswer(error);

/** The same for what the driver threw. */
export const isDatabaseAnswer = (error: unknown): boolean => {
	if (typeof error !== "object" || error === null) return false;
	const code = "code" in error ? String(error.code) : "";
	// node:sqlite names all its errors alike and keeps SQLite's own number (19: constraint) beside
	const isConstraint = "errcode" in error && Number(error.errcode) % 256 === 19;
	// ORMs wrap the driver's error
	return isConstraint || ANSWERS.test(code) || ("cause" in error && isDatabaseAnswer(error.cause));
};

/** PostgreSQL's classes 22 and 23, MySQL's, SQLite's, Prisma's and MongoDB's names for the same. */
const ANSWERS =
	/^(2[23]...|ER_(DUP_|DATA_|BAD_NULL|NO_REFERENCED|ROW_IS_REFERENCED|TRUNCATED|WARN_DATA).*|SQLITE_(CONSTRAINT|MISMATCH).*|P20(0[0-9]|1[0-9]|2[05])|11000)$/;
