import { type Run, table, verdict } from "test-kit/results/recorded-run";

/** What proof/mutation records. */
export type MutationRun = {
	files: {
		file: string;
		killed: number;
		left: { original: string; replacement: string; line: number; why: string | null }[];
	}[];
};

export const writeMutation = (run: Run<MutationRun> | null): string => {
	const explained = (run?.result.files ?? []).flatMap(({ file, left }) =>
		left.flatMap(({ why, ...mutant }) => (why === null ? [] : [{ file, why, ...mutant }])),
	);
	return `## Operators and conditions of the scope

Stryker changes each operator, condition, branch and call in \`src/scope\` alone, and runs the tests that reach it until one fails.

${verdict(run, "pnpm mutation --record")}
${
	explained.length > 0
		? `
<details><summary>The ${explained.length} explained</summary>

${table(
	["place", "original", "replacement", "why no test fails with it"],
	explained.map(({ file, line, original, replacement, why }) => [
		`src/${file}:${line}`,
		code(original),
		code(replacement),
		why,
	]),
)}

</details>
`
		: ""
}`;
};

const code = (text: string): string => `\`${text.slice(0, 80)}\``;
