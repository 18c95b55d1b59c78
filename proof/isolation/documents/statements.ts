import { type Run, table, verdict } from "test-kit/results/recorded-run";
import type { StatementsSummary } from "../statements/statements-summary.ts";

export const writeStatements = (run: Run<StatementsSummary> | null): string => `## Checks and throws

The compiler finds every \`throw\` of the package, and every statement that only calls a check (\`await assertOpen()\`). Each one is removed
alone, in memory, and the tests that reach it run until one fails. A check whose result is used is not a statement of its own, so
the list above has those.

${verdict(run, "pnpm isolation --part statements")}
${
	run && run.result.explained.length > 0
		? `
<details><summary>The ${run.result.explained.length} explained</summary>

${table(
	["place", "statement", "why no test fails without it"],
	run.result.explained.map(({ place, text, why }) => [place, `\`${text.slice(0, 120)}\``, why ?? ""]),
)}

</details>
`
		: ""
}`;
