import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { endpointPath } from "../../engine/endpoint-path.ts";
import { createTurns } from "../../lib/turns.ts";
import { parseSentBody } from "../../resolve/sent-body.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { predictTenantOf } from "../../scope/request/predict-tenant.ts";
import { bodyBoundsOf } from "../bounds/body-bounds.ts";
import { receiveRequest } from "../bounds/receive-request.ts";
import { createShares } from "./shares.ts";
import { busyCode, openSlot, RETRY, runInSlot } from "./slot.ts";

/**
 * Options of `limitConcurrency`.
 *
 * @example
 * ```ts
 * const options: ConcurrencyOptions = { perTenant: 50, runningPerTenant: 5, others: 500 };
 * ```
 */
export type ConcurrencyOptions = {
	/**
	 * Requests of one tenant that this process handles or keeps waiting. The next one returns 503 `TENANT_BUSY`.
	 * @default 100
	 */
	perTenant?: number;
	/**
	 * How many of them run at the same time. The others wait for their turn. All requests of a process share one event loop, so
	 * this bounds how long one tenant delays another. A request that takes longer than 50 ms stops counting here, because it
	 * waits for something else: a password hash, a mail server or an identity provider.
	 * @default 5
	 */
	runningPerTenant?: number;
	/**
	 * The same for requests on the platform, and separately for requests whose tenant is not known yet or does not exist. The
	 * next one returns 503 `SERVER_BUSY`.
	 * @default 1000
	 */
	others?: number;
};

type Handler = (request: Request) => Promise<Response>;
type BoundedAuth = { handler: Handler; $context: Promise<object>; api: object };

/**
 * Wraps `auth.handler` and bounds how many requests of each tenant run at the same time. So a tenant with many requests, or
 * whose identity provider hangs, does not delay the others.
 *
 * A request counts for the tenant that it is pinned to, whatever else it names. If that is known without a lookup, the request
 * is counted before Better Auth sees it, which makes rejecting it cheap. This calls `resolveTenantId` once more per request.
 * Every caller can send requests to a tenant and use up its share.
 *
 * @example
 * ```ts
 * const handler = limitConcurrency(auth, { perTenant: 100 });
 * serve({ fetch: handler });
 * ```
 */
export const limitConcurrency = (
	auth: BoundedAuth,
	{ perTenant = 100, runningPerTenant = 5, others = 1_000 }: ConcurrencyOptions = {},
) => {
	for (const [name, bound] of Object.entries({ perTenant, runningPerTenant, others }))
		if (!(bound >= 1)) throw new BetterAuthError(`limitConcurrency: ${name} must be a number of at least 1.`);
	const bounds = { shares: createShares({ perTenant, others }), turns: createTurns(runningPerTenant) };
	const endpoints = readFixedEndpoints(auth.api);

	return async (incoming: Request): Promise<Response> => {
		const context = (await auth.$context) as AuthContext;
		const predictTenant = predictTenantOf({ context });
		const pin = pinOf({ context });
		const bodyBounds = bodyBoundsOf({ context });
		// reads the whole body first, so a slow upload does not count
		const received = await receiveRequest(incoming, () => bodyBounds.of(endpointPath(incoming, context)));
		if ("response" in received) return received.response;
		const { request, bytes } = received;
		const endpoint = endpoints.get(`${request.method} ${endpointPath(request, context)}`);
		const sent = endpoint && parseSentBody(request.headers, endpoint.readsBody ? bytes : null);

		const slot = openSlot(bounds, pin);
		if (!slot) return busy(null);
		try {
			const expected = sent ? await predictTenant(context, { path: endpoint.path, request, ...sent }) : null;
			if (expected !== null && !(await slot.expect(expected))) return busy(expected);
			return await runInSlot(slot, () => auth.handler(request));
		} finally {
			slot.close();
		}
	};
};

const busy = (tenantId: string | null): Response => Response.json(busyCode(tenantId), { status: 503, headers: RETRY });

type Endpoint = {
	path: string;
	options: { method?: string | string[]; disableBody?: boolean; metadata?: { SERVER_ONLY?: boolean } };
};

type FixedEndpoint = { path: string; readsBody: boolean };

/** The endpoints without path parameters, by method and path. They can be found without the engine's router. */
const readFixedEndpoints = (api: object): Map<string, FixedEndpoint> => {
	const fixed = new Map<string, FixedEndpoint>();
	for (const endpoint of Object.values(api)) {
		if (!isEndpoint(endpoint) || endpoint.path.includes(":") || endpoint.options.metadata?.SERVER_ONLY) continue;
		const found = { path: endpoint.path, readsBody: !endpoint.options.disableBody };
		for (const method of [endpoint.options.method ?? []].flat()) fixed.set(`${method} ${endpoint.path}`, found);
	}
	return fixed;
};

const isEndpoint = (value: unknown): value is Endpoint =>
	typeof value === "function" &&
	"path" in value &&
	typeof value.path === "string" &&
	"options" in value &&
	typeof value.options === "object" &&
	value.options !== null;
