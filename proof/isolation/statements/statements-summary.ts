import type { Statement } from "./find-statements.ts";
import type { Tried } from "./try-statements.ts";

/** A statement without a test that fails without it. */
type Survivor = { place: string; text: string; tests: number; why: string | null };

export type StatementsSummary = {
	checks: number;
	throws: number;
	noticed: number;
	explained: Survivor[];
	survived: Survivor[];
	notRun: number;
	outcomes: Tried[];
};

/** The figures of all statements. An outcome of a statement that changed is left out. */
export const summarize = (
	statements: Statement[],
	outcomes: Tried[],
	whyOf: (statement: Statement) => string | null,
): StatementsSummary => {
	const latest = new Map(outcomes.toSorted((one, other) => one.at.localeCompare(other.at)).map((one) => [one.id, one]));
	const known = statements.flatMap((statement) => {
		const tried = latest.get(statement.id);
		return tried ? [{ statement, tried }] : [];
	});
	const left = known
		.filter(({ tried }) => tried.noticedBy === null)
		.map(({ statement, tried: { tests } }) => {
			const { file, line, text } = statement;
			return { place: `src/${file}:${line}`, text, tests, why: whyOf(statement) };
		});
	return {
		checks: statements.filter(({ kind }) => kind === "check").length,
		throws: statements.filter(({ kind }) => kind === "throw").length,
		noticed: known.length - left.length,
		explained: left.filter(({ why }) => why !== null),
		survived: left.filter(({ why }) => why === null),
		notRun: statements.length - known.length,
		outcomes: known.map(({ tried }) => tried),
	};
};
