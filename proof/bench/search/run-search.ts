import type { Outcome } from "test-kit/results/outcome";
import { showCount } from "test-kit/results/show-count";
import type { RunOptions } from "../part.ts";
import { type SearchResult, searchUsers } from "./search-users.ts";

/** The time of a search at the server, in milliseconds. */
export const MOST_MS = 50;

/** Searches the users of one tenant, as its admins do. */
export const runSearch = async ({ full, log }: RunOptions): Promise<Outcome<SearchResult>> => {
	const result = await searchUsers({
		...(full ? { users: 100_000, requests: 200 } : { users: 5_000, requests: 20 }),
		log,
	});
	const slowest = Math.max(...result.searches.map(({ p99 }) => p99));
	return {
		result,
		wrong: result.searches
			.filter(({ p99 }) => p99 > MOST_MS)
			.map(({ name, p99 }) => `${name}: ${p99} ms (goal: ${MOST_MS} ms)`),
		lines: [`${showCount(result.users)} users in the tenant: 99 % of each kind of search within ${slowest} ms`],
	};
};
