import { setTimeout as wait } from "node:timers/promises";
import { type Client, openClient } from "../server/client.ts";
import { PASSWORD } from "../server/settings.ts";
import { startServer } from "../server/start-server.ts";
import { settle } from "./household.ts";

export type LimitsResult = {
	/** the sign-ins that the application allows per window */
	max: number;
	window: number;
	cases: {
		countedBy: "address" | "tenant";
		addresses: "one for both tenants" | "one for each tenant";
		/** of the tenant that exceeds its limit: sent, and refused with 429 */
		loud: { sent: number; refused: number };
		/** of the second tenant, which comes later and stays within the limit */
		neighbour: { sent: number; refused: number };
	}[];
};

const MAX = 5;
const WINDOW = 5;
const COUNTERS = ["address", "tenant"] as const;
const ADDRESSES = [
	{ addresses: "one for each tenant", loudFrom: "198.51.100.1", neighborFrom: "198.51.100.2" },
	{ addresses: "one for both tenants", loudFrom: "203.0.113.7", neighborFrom: "203.0.113.7" },
] as const;

/**
 * One tenant exceeds its limit. Checks whether a second tenant can still sign in, from another address and from the
 * same one.
 */
export const measureLimits = async (databaseURL: string): Promise<LimitsResult> => {
	const cases: LimitsResult["cases"] = [];
	for (const countedBy of COUNTERS) {
		const signInLimit = { max: MAX, window: WINDOW, by: countedBy };
		const server = await startServer({ databaseURL, hashing: "cheap", signInLimit });
		const client = openClient(server.origin, { connections: 1 });
		try {
			for (const [number, { addresses, loudFrom, neighborFrom }] of ADDRESSES.entries()) {
				const name = `limits-by-${countedBy}-${number}`;
				const loud = await settle(client, `${name}-loud`, 1);
				const neighbor = await settle(client, `${name}-neighbor`, 1);
				// the sign-ups were counted too
				await wait(WINDOW * 1_000);
				cases.push({
					countedBy,
					addresses,
					loud: await knock(client, loud.tenant, loudFrom, 4 * MAX),
					neighbour: await knock(client, neighbor.tenant, neighborFrom, MAX),
				});
			}
		} finally {
			await client.close();
			await server.close();
		}
	}
	return { max: MAX, window: WINDOW, cases };
};

const knock = async (client: Client, tenant: string, address: string, times: number) => {
	let refused = 0;
	for (let number = 0; number < times; number += 1) {
		const body = { email: "person-0@example.com", password: PASSWORD };
		const { status, code } = await client.send("/sign-in/email", { tenant, address, body });
		if (status === 429) refused += 1;
		else if (status !== 200) throw new Error(`a sign-in returned ${status} ${code}`);
	}
	return { sent: times, refused };
};
