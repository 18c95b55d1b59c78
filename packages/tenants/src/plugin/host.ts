import type { AuthContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../errors/error-codes.ts";
import { explicitTenant } from "../scope/pin/tenant-context.ts";
import { hostPlacesOf } from "../scope/tenants/hosts.ts";

/**
 * Rejects a request to a host that belongs to nobody, whatever its path. For other hosts, sets the base URL and the trusted
 * origins before the engine checks the origin.
 */
export const guardHost = async (
	request: Request,
	context: AuthContext,
): Promise<{ response: Response } | undefined> => {
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
