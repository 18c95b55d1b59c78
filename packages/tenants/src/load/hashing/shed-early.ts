import type { AuthContext } from "@better-auth/core";
import { delegateOf } from "../../endpoints/delegates.ts";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { endpointPath } from "../../engine/endpoint-path.ts";
import { defineService } from "../../engine/service.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { readSentBody } from "../../resolve/sent-body.ts";
import type { PredictTenant } from "../../scope/request/predict-tenant.ts";

export type EarlyShed = (request: Request, context: AuthContext) => Promise<{ response: Response } | undefined>;

/** Refuses password requests of a tenant whose queue is full. */
export const shedEarlyOf = defineService<EarlyShed>("shedEarly");

type With = { predictTenant: PredictTenant; isEmpty: () => boolean; isFull: (tenantId: string) => boolean };

/**
 * Rejects a request that would be shed later anyway. Runs before the endpoint lookup and all hooks, because a thousand
 * such requests would delay all others. Uses the tenant that the request would be pinned to, so a header alone cannot
 * choose it.
 */
export const createEarlyShed =
	({ predictTenant, isEmpty, isFull }: With): EarlyShed =>
	async (request, context) => {
		if (request.method !== "POST" || isEmpty()) return undefined;
		const path = endpointPath(request, context);
		if (path === null || !endpointOf(delegateOf(path)).hashesPassword) return undefined;
		const sent = await readSentBody(request);
		const tenantId = sent && (await predictTenant(context, { path, request, ...sent }));
		if (tenantId === null || !isFull(tenantId)) return undefined;
		const { code, message } = TENANT_AUTH_ERROR_CODES.HASHING_BUSY;
		const headers = { "retry-after": "1", "cache-control": "no-store" };
		return { response: Response.json({ code, message }, { status: 503, headers }) };
	};
