import type { GenericEndpointContext } from "@better-auth/core";
import { networkOf } from "../../engine/client-network.ts";
import { sha256Text } from "../../lib/sha256.ts";
import { carriesSignedToken } from "../../scope/sessions/session-credential.ts";
import type { Limit, SharedCount } from "./count-in-window.ts";
import { createCounters } from "./counters.ts";
import { refuseIfLate } from "./refuse.ts";

/** The share of the strangers' limit that one network can use up. */
const QUARTER = 4;

/**
 * Counts the requests of one tenant. Users with a session, and strangers, have a limit each, so that strangers do not keep
 * users from what they are signed in to. The signature of the token decides, without a lookup.
 */
export const createTenantRequests = (name: string, shared: SharedCount | undefined) => {
	const counters = createCounters(shared);
	return async (ctx: GenericEndpointContext, tenantId: string, limit: Limit): Promise<void> => {
		const owner = { tenantId, network: "" };
		if (await carriesSignedToken(ctx)) return refuseIfLate(counters(limit), `${name}-users:${tenantId}`, { owner });
		const network = ctx.request ? networkOf(ctx.request, ctx.context.options) : null;
		if (network) {
			const part = counters({ ...limit, max: Math.ceil(limit.max / QUARTER) });
			const key = `${name}-network:${await sha256Text(`${tenantId}\n${network}`)}`;
			await refuseIfLate(part, key, { owner: { tenantId, network } });
		}
		await refuseIfLate(counters(limit), `${name}:${tenantId}`, { owner });
	};
};
