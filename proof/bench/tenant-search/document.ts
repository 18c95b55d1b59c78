import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import { MOST_MS } from "./run-tenant-search.ts";
import type { TenantSearchResult } from "./search-tenants.ts";

/** What a search among many tenants costs. */
export const documentTenantSearch = (run: Run<TenantSearchResult> | null): string => `## Searching tenants

\`/tenant/list\` with \`tenantLifecycle()\`, and \`/tenant/user/list\` in a large tenant among them, on PostgreSQL. The time is that at the
server, with the database, and without a network to the client. 99 % of each kind of search may take at most ${MOST_MS} ms.
${run ? `\n${searchesOf(run.result)}\n` : ""}
${verdict(run, "pnpm bench --part tenant-search")}`;

const searchesOf = ({ tenants, users, searches }: TenantSearchResult): string => `${table(
	["search", "rows on the page", "statements", "median (ms)", "99 % (ms)"],
	searches.map(({ name, found, statements, median, p99 }) => [name, found, statements, median, p99]),
)}

${showCount(tenants)} tenants, one of them with ${showCount(users)} users.`;
