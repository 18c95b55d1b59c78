import type { Outcome } from "test-kit/results/outcome";
import { showCount } from "test-kit/results/show-count";
import type { RunOptions } from "../part.ts";
import { searchTenants, type TenantSearchResult } from "./search-tenants.ts";

/** The time of a search at the server, in milliseconds. */
export const MOST_MS = 200;

/** Searches tenants, as operators do. */
export const runTenantSearch = async ({ full, log }: RunOptions): Promise<Outcome<TenantSearchResult>> => {
	const sizes = full
		? { tenants: 100_000, users: 100_000, requests: 200 }
		: { tenants: 5_000, users: 1_000, requests: 20 };
	const result = await searchTenants({ ...sizes, log });
	const slowest = Math.max(...result.searches.map(({ p99 }) => p99));
	return {
		result,
		wrong: result.searches
			.filter(({ p99 }) => p99 > MOST_MS)
			.map(({ name, p99 }) => `${name}: ${p99} ms (goal: ${MOST_MS} ms)`),
		lines: [`${showCount(result.tenants)} tenants: 99 % of each kind of search within ${slowest} ms`],
	};
};
