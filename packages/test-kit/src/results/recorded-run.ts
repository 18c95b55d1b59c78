import type { Recorded } from "./results-in.ts";

/** A recorded run. */
export type Run<Result> = Recorded<{ seconds: number; wrong: string[]; lines: string[]; result: Result }>;

const duration = (seconds: number): string =>
	seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

/** When and where it ran, and whether it passed. */
export const verdict = (run: Run<unknown> | null, command: string): string => {
	if (!run) return `Not recorded yet: run \`${command}\` and keep what it sees.`;
	const when = `${run.at.slice(0, 10)}, ${duration(run.seconds)}, Node ${run.machine.node.slice(1)}, ${run.machine.cores} cores`;
	const outcome =
		run.wrong.length === 0
			? "**Held.**"
			: `**Not held, in ${run.wrong.length} ways:**\n\n${run.wrong.map((line) => `- ${line.split("\n")[0]}`).join("\n")}\n`;
	return `${[outcome, ...(run.lines.length > 0 ? [run.lines.join(". ")] : [])].join(" ")} (\`${command}\`; ${when}).`;
};

type Rows = (string | number)[][];

const escaped = (rows: Rows): string[][] =>
	rows.map((cells) => cells.map((cell) => String(cell).replaceAll("|", "\\|").replaceAll("\n", " ")));

const joined = (rows: string[][]): string => rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** A Markdown table. */
export const table = (head: string[], rows: Rows): string => joined(escaped([head, head.map(() => "---"), ...rows]));

/** The same as the formatter aligns it, for a page that is written by hand otherwise. */
export const alignedTable = (head: string[], rows: Rows): string => {
	const cells = escaped([head, ...rows]);
	const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
	const [first = [], ...others] = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
	return joined([first, widths.map((width) => "-".repeat(width)), ...others]);
};
