import { round, type Spread, spreadOf } from "../stage/statistics.ts";
import { FIRST_TENANT, type RunningContestant } from "./contestant.ts";
import type { Asked, Kind } from "./contestant-process.ts";
import type { ContestantName } from "./contestants.ts";

export type Load = {
	rounds: number;
	/** of each contestant in a round */
	requests: number;
	parallel: number;
};

export type Speed = {
	/** requests a second */
	perSecond: Spread;
	/** of each round: requests a second over ours */
	overOurs: Spread;
};

export type Visited = {
	contestant: RunningContestant;
	/** of each tenant's user, in the order of the tenants */
	cookies: string[];
};

/** Sends the same requests to all in turns, spread evenly over all tenants. The order changes each round. */
export const compareSpeeds = async (
	kind: Kind,
	visited: Visited[],
	{ rounds, requests, parallel }: Load,
): Promise<Map<ContestantName, Speed>> => {
	const seen = new Map<ContestantName, number[]>(visited.map(({ contestant }) => [contestant.name, []]));
	let sent = 0;
	// the first round only warms up
	for (let number = 0; number <= rounds; number += 1) {
		const begins = number % visited.length;
		for (const { contestant, cookies } of [...visited.slice(begins), ...visited.slice(0, begins)]) {
			const asked = Array.from({ length: requests }, (_, request): Asked => {
				const index = (sent + request) % cookies.length;
				return { tenant: FIRST_TENANT + index, cookie: cookies[index] ?? "" };
			});
			const perSecond = await contestant.call("load", { kind, asked, parallel });
			if (number > 0) seen.get(contestant.name)?.push(perSecond);
		}
		sent += requests;
	}
	const ours = seen.get("ours") ?? [];
	return new Map(
		[...seen].map(([name, speeds]) => [
			name,
			{
				perSecond: spreadOf(speeds, 1),
				overOurs: spreadOf(
					speeds.map((speed, index) => round(speed / (ours[index] ?? Number.NaN), 4)),
					3,
				),
			},
		]),
	);
};
