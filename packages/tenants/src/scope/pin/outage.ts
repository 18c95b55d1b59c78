import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import { APIError, BetterAuthError } from "@better-auth/core/error";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { dispatchOf } from "./dispatch.ts";
import { definePart } from "./request-record.ts";
import { rewritingErrors } from "./rewritten-errors.ts";

/** What failed in a request. */
type Outage = {
	/** the database or the storage */
	met: boolean;
	/** The storage kept something that this request ended or changed. The engine logs that and reports success. */
	isOutdated: boolean;
	/** the request changed a user, of whom the storage has a copy in every session */
	changedUser: boolean;
};

const outage = definePart<Outage>(() => ({ met: false, isOutdated: false, changedUser: false }));

/** Records that this request changes a user. */
export const noticeChangedUser = (): void => {
	const known = outage.now();
	if (known) known.changedUser = true;
};

/** Wraps the methods of the storage so that the request remembers their failures. */
export const noticingFailures = <Functions extends object>(functions: Functions): Functions =>
	rewritingErrors(functions, async (error, name) => {
		const known = outage.now();
		if (known && isOutage(error) && (name === "delete" || known.changedUser)) known.isOutdated = true;
		return noticeFailure(error);
	});

/**
 * Records an outage in the running request, unless the database responded with an error of its own. Returns the error.
 */
export const noticeFailure = (error: unknown): unknown => {
	if (!isOutage(error)) return error;
	const { context } = tryGetCurrentAuthEndpointContext() ?? {};
	// the second: a request that runs inside another one, whose response is its own
	for (const known of [outage.now(), context && outage.of(context)]) if (known) known.met = true;
	return error;
};

/**
 * Returns 503 in place of the empty 500 that the engine returns for an error that nobody caught, for example in a hook of
 * another plugin after a sign-out.
 */
export const replaceUncaught = (response: Response, context: object): { response: Response } | undefined =>
	response.status === 500 && response.body === null && outage.of(context)?.met
		? { response: unavailable() }
		: undefined;

type AfterHook = {
	path?: string | undefined;
	request?: Request | undefined;
	context: { returned?: unknown; responseHeaders?: Headers | undefined };
};

/** Whether the database or the storage failed in the running request. */
export const metOutage = (): boolean => outage.peek()?.met === true;

/**
 * Returns 503 if the database or the storage failed. The engine would report a missing session (401) or an invalid
 * sign-up (422), so clients would sign their users out. It would also confirm a sign-out that ended nothing, or a change
 * that the storage undoes. Clients retry after a 503 and keep their cookies.
 */
export const respondToOutage = async ({ path, request, context }: AfterHook): Promise<Response | undefined> => {
	if (!metOutage()) return undefined;
	const { returned, responseHeaders } = context;
	const isRefusal = returned instanceof APIError && returned.statusCode >= 400 && returned.statusCode < 500;
	if (!isRefusal && !endpointOf(path).signsOut && !outage.peek()?.isOutdated) return undefined;
	responseHeaders?.delete("set-cookie");
	const { code, message } = TENANT_AUTH_ERROR_CODES.STORE_UNAVAILABLE;
	if (!request || dispatchOf(context).isDelegated) throw APIError.from("SERVICE_UNAVAILABLE", { code, message });
	// if this threw an error, the engine would send it with the status of the original error
	return unavailable();
};

/** Clients retry after it and keep their cookies. */
export const unavailable = (): Response => {
	const { code, message } = TENANT_AUTH_ERROR_CODES.STORE_UNAVAILABLE;
	return Response.json(
		{ code, message },
		{ status: 503, headers: { "cache-control": "no-store", "retry-after": "1" } },
	);
};

type WithReturned = { context: { returned?: unknown } };

/** The body of a returned error that includes the error behind it. */
const bodyWithCause = ({ context: { returned } }: WithReturned): { cause?: unknown } | undefined =>
	returned instanceof APIError && returned.body && "cause" in returned.body ? returned.body : undefined;

/** Whether an error response would contain the database's error. */
export const exposesCause = (ctx: WithReturned): boolean => bodyWithCause(ctx) !== undefined;

/**
 * Removes the database's error from an error response. Since Better Auth 1.7.18, a failed session check returns it to
 * the client, with the statement and its values on MySQL. Server code still reads it as the error's `cause`.
 */
export const hideCause = async (ctx: WithReturned): Promise<void> => {
	delete bodyWithCause(ctx)?.cause;
};

/** Whether an error means that the database or the storage did not do what it was asked to. */
export const isOutage = (error: unknown): boolean => !isQueryError(error);

/** Whether the database works and rejected the query: a constraint failed, or a value does not fit its column. */
const isQueryError = (error: unknown): boolean =>
	error instanceof APIError || error instanceof BetterAuthError || isDriverQueryError(error);

/** The same check for errors of the database driver. */
export const isDriverQueryError = (error: unknown): boolean => {
	if (typeof error !== "object" || error === null) return false;
	const code = "code" in error ? String(error.code) : "";
	// node:sqlite uses one code for all errors; SQLite's own number (19: constraint) is in `errcode`
	const isConstraint = "errcode" in error && Number(error.errcode) % 256 === 19;
	// ORMs wrap the driver's error
	return isConstraint || QUERY_ERRORS.test(code) || ("cause" in error && isDriverQueryError(error.cause));
};

/** PostgreSQL's classes 22 and 23, and the matching codes of MySQL, SQLite, Prisma and MongoDB. */
const QUERY_ERRORS =
	/^(2[23]...|ER_(DUP_|DATA_|BAD_NULL|NO_REFERENCED|ROW_IS_REFERENCED|TRUNCATED|WARN_DATA).*|SQLITE_(CONSTRAINT|MISMATCH).*|P20(0[0-9]|1[0-9]|2[05])|11000)$/;
