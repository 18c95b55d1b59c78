import { showCount } from "test-kit/results/show-count";
import { whyOf } from "./explained.ts";
import type { Mutant } from "./mutant.ts";
import type { Outcomes, STATES } from "./outcomes.ts";

export type FileSummary = {
	file: string;
	/** of the text that was mutated */
	hash: string;
	killed: number;
	/** constants of the module, which do not run in a test */
	static: number;
	left: Mutant[];
};

export type MutationSummary = {
	files: FileSummary[];
	/** files without an outcome for their present text */
	notRun: number;
};

export const unexplained = ({ left }: FileSummary): Mutant[] => left.filter((mutant) => whyOf(mutant) === null);

export const describe = ({ file, line, original, replacement, nth, tests }: Mutant): string =>
	`src/${file}:${line} \`${original}\`${nth > 1 ? ` (${nth})` : ""} -> \`${replacement}\`: ${tests > 0 ? `${tests} tests pass` : "no test reaches it"}`;

/** For documents: with the reasons that are known now. */
export const withReasons = (summary: FileSummary): FileSummary => ({
	...summary,
	left: summary.left.map((mutant) => ({ ...mutant, why: whyOf(mutant) })),
});

/** A recorded summary, and what was killed since. */
export const withKilled = (summary: FileSummary, outcomes: Outcomes): FileSummary => {
	const left = summary.left.filter(({ key }) => outcomes.get(key)?.state !== "killed");
	return { ...summary, killed: summary.killed + summary.left.length - left.length, left };
};

/** What a run says at its end, and what has to be done. */
export const outcomeOf = ({ files, notRun }: MutationSummary): { wrong: string[]; lines: string[] } => {
	const sum = (of: (file: FileSummary) => number): number => files.reduce((total, file) => total + of(file), 0);
	const [killed, left] = [sum((file) => file.killed), sum((file) => file.left.length)];
	const open = files.flatMap(unexplained);
	const inFiles = files.map((summary) => ({ file: summary.file, count: unexplained(summary).length }));
	const figures = `${showCount(killed + left)} mutants of ${files.length} files: a test fails with ${showCount(killed)} of them, ${left - open.length} are explained, ${open.length} are not noticed`;
	return {
		wrong: [
			...inFiles
				.filter(({ count }) => count > 0)
				.map(({ file, count }) => `src/${file}: ${count} that no test notices and that nobody has explained`),
			// nothing is claimed about these
			...(notRun > 0 ? [`${notRun} files have not run with their present text`] : []),
		],
		lines: [figures],
	};
};

/** The figures of one file, from the outcomes of all its mutants. */
export const summarizeFile = (file: string, hash: string, text: string, outcomes: Outcomes): FileSummary => {
	const times = new Map<string, number>();
	const inOrder = [...outcomes.values()].sort((one, other) => comparePlaces(one.key, other.key));
	const mutants = inOrder.map(({ key, state, tests }) => {
		const [original, replacement] = [originalOf(text, key), replacementOf(key)];
		const nth = (times.get(`${original}\n${replacement}`) ?? 0) + 1;
		times.set(`${original}\n${replacement}`, nth);
		return { state, mutant: { file, key, line: placeOf(key)[0], original, replacement, nth, tests } };
	});
	const count = (wanted: (typeof STATES)[number]): number => mutants.filter(({ state }) => state === wanted).length;
	return {
		file,
		hash,
		killed: count("killed"),
		static: count("static"),
		left: mutants.filter(({ state }) => state === "survived" || state === "not reached").map(({ mutant }) => mutant),
	};
};

/** The line and the column where a mutant begins and ends, from its key. */
const placeOf = (key: string): [number, number, number, number] => {
	const [, ...numbers] = key.match(/^(\d+):(\d+)-(\d+):(\d+) /)?.map(Number) ?? [];
	const [line, column, endLine, endColumn] = numbers;
	if (!line || !column || !endLine || !endColumn) throw new Error(`"${key}" names no place`);
	return [line, column, endLine, endColumn];
};

const comparePlaces = (one: string, other: string): number => {
	const [a, b] = [placeOf(one), placeOf(other)];
	return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3];
};

const onOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** The text that a mutant replaces. */
const originalOf = (text: string, key: string): string => {
	const [line, column, endLine, endColumn] = placeOf(key);
	const lines = text.split("\n").slice(line - 1, endLine);
	lines[lines.length - 1] = lines.at(-1)?.slice(0, endColumn - 1) ?? "";
	lines[0] = lines[0]?.slice(column - 1) ?? "";
	return onOneLine(lines.join("\n"));
};

const replacementOf = (key: string): string => onOneLine(key.split(" ").slice(2).join(" "));
