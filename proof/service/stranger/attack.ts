import { setTimeout as wait } from "node:timers/promises";
import type { createAsk } from "./ask.ts";
import { HOSTILE_REQUESTS } from "./hostile-requests.ts";

export type Attacked = { what: string; sent: number; accepted: number; answers: Record<string, number> };

/** One address, which every request of the stranger comes from. */
const ADDRESS = "203.0.113.7";
/** Milliseconds after a request that was refused for its rate, and after every other one: at most 40 of a kind per second. */
const REST = 500;
const PAUSE = 25;

/** Sends each kind of request as fast as it is allowed, in all tenants, until the time is over. */
export const attackFor = async (
	ask: ReturnType<typeof createAsk>,
	tenants: string[],
	until: number,
): Promise<Attacked[]> =>
	Promise.all(
		HOSTILE_REQUESTS.map(async ({ what, path, bodyOf }) => {
			const seen: Attacked = { what, sent: 0, accepted: 0, answers: {} };
			for (let n = 0; Date.now() < until; n += 1) {
				const tenant = tenants[n % tenants.length];
				const unique = `s${n.toString(36)}x${Math.random().toString(36).slice(2, 8)}`;
				// paths that do not exist are counted too
				const where = path === "/invented" ? `${path}/${unique}` : path;
				const body = bodyOf(unique);
				const { status, code } = await ask({ path: where, body, address: ADDRESS, ...(tenant ? { tenant } : {}) });
				const answer = `${status} ${code}`.trim();
				seen.sent += 1;
				seen.accepted += status >= 200 && status < 400 ? 1 : 0;
				seen.answers[answer] = (seen.answers[answer] ?? 0) + 1;
				await wait(status === 429 ? REST : PAUSE);
			}
			return seen;
		}),
	);
