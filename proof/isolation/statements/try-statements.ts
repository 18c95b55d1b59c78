import { chooseTests } from "./choose-tests.ts";
import type { Statement } from "./find-statements.ts";
import type { Reaches } from "./reach.ts";
import { inChunks, runTurns, type Turn } from "./turns.ts";

/** What happened without a statement. */
export type Tried = {
	id: string;
	at: string;
	/** the test that failed; null if none did */
	noticedBy: string | null;
	/** how many tests ran without it */
	tests: number;
};

/** How many tests a statement faces in each round. Most are noticed by the first, and hundreds reach a common check. */
const ROUNDS = [3, 12, 60];

/** Runs tests without each statement until one fails. Statements that are not decided when the time is over are left. */
export const tryStatements = async (
	statements: Statement[],
	reaches: Reaches,
	until: number,
	log: (line: string) => void,
	decided: (tried: Tried) => void,
): Promise<void> => {
	const waiting = new Map(statements.map((one) => [one, chooseTests(one, reaches)]));
	const passed = new Map<Statement, number>();
	const decide = (statement: Statement, noticedBy: string | null): void => {
		waiting.delete(statement);
		const tests = (passed.get(statement) ?? 0) + (noticedBy ? 1 : 0);
		const { id, file, line, text } = statement;
		log(`src/${file}:${line} ${noticedBy ?? `SURVIVED ${tests} tests: ${text.slice(0, 100)}`}`);
		decided({ id, at: new Date().toISOString(), noticedBy, tests });
	};
	/** Returns false if the time is over. */
	const runAll = async (chunk: Turn[]): Promise<boolean> => {
		let turns = chunk.filter(({ statement }) => waiting.has(statement));
		while (turns.length > 0) {
			if (Date.now() > until) return false;
			log(`${turns.length} tests without a statement; ${waiting.size} statements left`);
			const { seen, left } = await runTurns(turns, until);
			for (const [statement, { noticedBy, passed: more }] of seen) {
				passed.set(statement, (passed.get(statement) ?? 0) + more);
				if (noticedBy) decide(statement, noticedBy);
			}
			// nobody knows what these would show
			if (left.length === turns.length) for (const { statement } of left) waiting.delete(statement);
			turns = left.filter(({ statement }) => waiting.has(statement));
		}
		return true;
	};
	for (const size of ROUNDS) {
		const turns = [...waiting].flatMap(([statement, tests]) =>
			tests.splice(0, size).map(({ file, test }): Turn => ({ statement, file, test })),
		);
		for (const chunk of inChunks(turns)) if (!(await runAll(chunk))) return;
		for (const [statement, tests] of [...waiting]) if (tests.length === 0) decide(statement, null);
	}
	for (const statement of [...waiting.keys()]) decide(statement, null);
};
