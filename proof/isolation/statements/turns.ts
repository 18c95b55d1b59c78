import type { Statement } from "./find-statements.ts";
import type { Logged } from "./log-results.ts";
import { writePlan } from "./plan.ts";
import { runPlan } from "./run-plan.ts";

/** One test that runs without one statement. */
export type Turn = { statement: Statement; file: string; test: string };

/** What the turns of one statement showed. */
export type Seen = { noticedBy: string | null; passed: number };

const FILES_AT_ONCE = 24;
/** Removes nothing: a test that fails in the same process without a cause has noticed nothing. */
const CONTROL = "control";

/** Turns of the same files together, because a file that is loaded runs for many statements. */
export const inChunks = (turns: Turn[]): Turn[][] => {
	const files = [...new Set(turns.map(({ file }) => file))];
	const chunks: Turn[][] = [];
	for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
		const now = new Set(files.slice(at, at + FILES_AT_ONCE));
		chunks.push(turns.filter(({ file }) => now.has(file)));
	}
	return chunks;
};

/** Runs turns in one process. A turn that hangs ends it: `left` has those that did not come to their end. */
export const runTurns = async (turns: Turn[], until: number): Promise<{ seen: Map<Statement, Seen>; left: Turn[] }> => {
	const { results, hangs } = await runPlan(planOf(turns), until);
	const unsound = new Set(
		results.filter(({ statement, state }) => statement === CONTROL && state === "failed").map(({ test }) => test),
	);
	const ended = results.filter(({ state, test }) => state !== "running" && !unsound.has(test));
	const seen = new Map<Statement, Seen>();
	for (const statement of new Set(turns.map((turn) => turn.statement))) {
		const isOwn = (one: Logged): boolean => one.statement === statement.id;
		const failed = ended.find((one) => isOwn(one) && one.state === "failed");
		const hanging = hangs.find(isOwn);
		const noticedBy = failed ? `${failed.test}: ${failed.error}` : hanging ? `${hanging.test}: does not end` : null;
		seen.set(statement, { noticedBy, passed: ended.filter((one) => isOwn(one) && one.state === "passed").length });
	}
	const hasEnded = new Set(ended.map(({ statement, test }) => statement + SEPARATOR + test));
	const left = turns.filter(
		({ statement, test }) =>
			seen.get(statement)?.noticedBy === null &&
			!hasEnded.has(statement.id + test) &&
			!unsound.has(test.slice(SEPARATOR.length)),
	);
	return { seen, left };
};

/** How vitest joins the names of suites and tests. */
const SEPARATOR = " > ";

const planOf = (turns: Turn[]) => {
	const files = [...new Set(turns.map(({ file }) => file))];
	const names = turns.flatMap(({ statement, test }) => [statement.id + test, CONTROL + test]);
	const escaped = [...new Set(names)].map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
	const generated = files.map((file) => {
		const ids = turns.filter((turn) => turn.file === file).map(({ statement }) => statement.id);
		return { file, without: [...new Set(ids), CONTROL] };
	});
	return writePlan(generated, `^(?:${escaped.join("|")})$`);
};
