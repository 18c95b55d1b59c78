import type { AuthContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { endpointPath } from "../engine/endpoint-path.ts";
import { failureToCount } from "../engine/uncounted-requests.ts";
import { TENANT_AUTH_ERROR_CODES } from "../errors/error-codes.ts";
import { bodyBoundsOf } from "../load/bounds/body-bounds.ts";
import { receiveRequest } from "../load/bounds/receive-request.ts";
import { shedEarlyOf } from "../load/hashing/shed-early.ts";
import { unavailable } from "../scope/pin/outage.ts";
import { beginRecord } from "../scope/pin/request-record.ts";
import { explicitTenant } from "../scope/pin/tenant-context.ts";
import { hostPlacesOf } from "../scope/tenants/hosts.ts";

/** Runs first on every HTTP request, before the body is parsed. */
export const onRequest = async (
	request: Request,
	context: AuthContext,
): Promise<{ response: Response } | { request: Request } | undefined> => {
	const uncounted = await failureToCount();
	if (uncounted) {
		context.logger.error("tenantAuth: a request cannot be counted for the rate limit", uncounted.error);
		return { response: unavailable() };
	}
	beginRecord(context);
	const refused = guardContentType(request) ?? (await guardHost(request, context));
	if (refused) return refused;
	const bodyBounds = bodyBoundsOf({ context });
	const shedEarly = shedEarlyOf({ context });
	const bound = () => bodyBounds.of(endpointPath(request, context));
	const received = await receiveRequest(request, bound, bodyBounds.short);
	if ("response" in received) return received;
	return (
		(await shedEarly(received.request, context)) ??
		(received.request === request ? undefined : { request: received.request })
	);
};

const FORMS = ["application/x-www-form-urlencoded", "multipart/form-data"];

/**
 * Rejects a content type that merely contains the name of a form type. The engine treats it as a form, but no form
 * parser does, so the engine would return 500. Other types pass to the engine.
 */
export const guardContentType = (request: Request): { response: Response } | undefined => {
	const type = request.headers.get("content-type")?.toLowerCase();
	if (!type || type === "application/json") return undefined;
	const essence = type.split(";")[0]?.trim() ?? "";
	if (!FORMS.some((form) => type.includes(form)) || (FORMS.includes(essence) && !isList(type))) return undefined;
	// the same code that the engine returns for unsupported types
	const body = { code: "UNSUPPORTED_MEDIA_TYPE", message: "This content type is not allowed" };
	return { response: Response.json(body, { status: 415 }) };
};

/** Two types in one header: parsers differ in which one they use. */
const isList = (type: string): boolean => type.replace(/"[^"]*"/g, "").includes(",");

/**
 * Rejects a request to a host that belongs to nobody, whatever its path. For other hosts, sets the base URL and the trusted
 * origins before the engine checks the origin.
 */
const guardHost = async (request: Request, context: AuthContext): Promise<{ response: Response } | undefined> => {
	const hosts = hostPlacesOf({ context });
	if (!hosts) return undefined;
	try {
		const place = await hosts.placeOf({ request }, context);
		const named = explicitTenant();
		if (place) hosts.settle(context, named === undefined ? place : hosts.placeFor(named, place));
		return undefined;
	} catch (error) {
		if (error instanceof APIError) return { response: refusal(error.statusCode, error.body) };
		context.logger.error("tenantAuth: the tenant of a host cannot be looked up", error);
		return { response: refusal(503, TENANT_AUTH_ERROR_CODES.STORE_UNAVAILABLE) };
	}
};

const refusal = (status: number, body: unknown): Response =>
	Response.json(body, {
		status,
		headers: { "cache-control": "no-store", ...(status === 503 ? { "retry-after": "1" } : {}) },
	});
