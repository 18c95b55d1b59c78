import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { endpointPath } from "../engine/endpoint-path.ts";
import { parseSentBody } from "../resolve/sent-body.ts";
import { servicesOf } from "../services.ts";
import { readFixedEndpoints } from "./fixed-endpoints.ts";
import { createShares } from "./shares.ts";
import { busyCode, openSlot, RETRY, runInSlot } from "./slot.ts";

export type ConcurrencyOptions = {
	/**
	 * How many requests of one tenant this process handles at the same time. Further requests get 503 `TENANT_BUSY`.
	 * @default 100
	 */
	perTenant?: number;
	/**
	 * The same limit for requests of the platform, and separately for requests whose tenant is not decided yet or does not
	 * exist. Further requests get 503 `SERVER_BUSY`.
	 * @default 1000
	 */
	others?: number;
};

type Handler = (request: Request) => Promise<Response>;
type BoundedAuth = { handler: Handler; $context: Promise<object>; api: object };

/**
 * Wraps `auth.handler` and limits how many requests of each tenant run at the same time. Heavy traffic of one tenant, or
 * its slow identity provider, then does not delay other tenants.
 *
 * A request counts for the tenant it is pinned to. If that is known without a database lookup, the request is counted
 * before Better Auth handles it, so rejecting it is cheap. This calls `resolveTenantId` one extra time. Anyone can send
 * requests to a tenant and so use up its limit.
 *
 * @example
 * const handler = boundConcurrency(auth, { perTenant: 100 });
 * serve({ fetch: handler });
 */
export const boundConcurrency = (auth: BoundedAuth, { perTenant = 100, others = 1_000 }: ConcurrencyOptions = {}) => {
	for (const [name, bound] of Object.entries({ perTenant, others }))
		if (!(bound >= 1)) throw new BetterAuthError(`boundConcurrency: ${name} must be a number of at least 1.`);
	const shares = createShares({ perTenant, others });
	const endpoints = readFixedEndpoints(auth.api);

	return async (incoming: Request): Promise<Response> => {
		const context = (await auth.$context) as AuthContext;
		const { foresee, pin } = servicesOf({ context });
		// reads the whole body first, so a slow upload does not count
		const { request, bytes } = await receive(incoming);
		const endpoint = endpoints.get(`${request.method} ${endpointPath(request, context)}`);
		const sent = endpoint && parseSentBody(request.headers, endpoint.readsBody ? bytes : null);

		const slot = openSlot(shares, pin);
		if (!slot) return busy(null);
		try {
			const expected = sent ? await foresee(context, { path: endpoint.path, request, ...sent }) : null;
			if (expected !== null && !slot.expect(expected)) return busy(expected);
			return await runInSlot(slot, () => auth.handler(request));
		} finally {
			slot.close();
		}
	};
};

/** Reads the whole body into memory, as the engine would do later. */
const receive = async (incoming: Request): Promise<{ request: Request; bytes: Uint8Array | null }> => {
	if (!incoming.body) return { request: incoming, bytes: null };
	const { url, method, headers, signal } = incoming;
	const bytes = new Uint8Array(await incoming.arrayBuffer());
	return { request: new Request(url, { method, headers, signal, body: bytes }), bytes };
};

const busy = (tenantId: string | null): Response => Response.json(busyCode(tenantId), { status: 503, headers: RETRY });
