import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import type { RowsResult } from "../rows/run-rows.ts";

export const writeRows = (run: Run<RowsResult> | null): string => `## Rows of the application

Random queries run on tables with the rows of three tenants, limited by a helper of \`better-auth-tenants/rows\`. The same query runs
without the helper on a copy with the rows of one tenant. Both must return the same rows and leave the same rows behind, unless
the helper rejects the query. Ids are the same in all tenants, and some queries are hostile: raw SQL, nested writes, changed tenant
columns, queries that were compiled in another tenant. As a control, the same queries run with a helper that leaves one table
out, and must find that.

${verdict(run, "pnpm isolation --part rows --full")}
${
	run
		? `
${table(
	[
		"Limited by",
		"queries",
		"same rows",
		"rejected",
		"failed on both sides",
		"foreign rows",
		"planted hole found after",
	],
	run.result.lanes.map((lane) => [
		lane.name,
		showCount(lane.queries),
		showCount(lane.same),
		showCount(lane.refused),
		showCount(lane.failed),
		lane.wrong.length,
		lane.holeFoundAfter === null ? "**not found**" : `${lane.holeFoundAfter} queries`,
	]),
)}
`
		: ""
}`;
