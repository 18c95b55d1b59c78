import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import { MOST_MS } from "./run-search.ts";
import type { SearchResult } from "./search-users.ts";

/** What a search among the users of a large tenant costs. */
export const documentSearch = (run: Run<SearchResult> | null): string => `## Searching users

\`/tenant/user/list\` of the [administration](administration.md) in a tenant beside another one of the same size, on PostgreSQL. The time is
that at the server, with the database, and without a network to the client. 99 % of each kind of search may take at most ${MOST_MS} ms.
${run ? `\n${searchesOf(run.result)}\n` : ""}
${verdict(run, "pnpm bench --part search")}`;

const searchesOf = ({ users, searches }: SearchResult): string =>
	table(
		["users", "search", "users on the page", "statements", "median (ms)", "99 % (ms)"],
		searches.map(({ name, found, statements, median, p99 }) => [
			showCount(users),
			name,
			found,
			statements,
			median,
			p99,
		]),
	);
