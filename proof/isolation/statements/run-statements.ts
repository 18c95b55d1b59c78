import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { whyOf } from "./explained.ts";
import { findStatements, type Statement } from "./find-statements.ts";
import { FOLDER, removePlan } from "./plan.ts";
import { findReach, testFiles } from "./reach.ts";
import { type StatementsSummary, summarize } from "./statements-summary.ts";
import { type Tried, tryStatements } from "./try-statements.ts";

type Options = {
	/** folders of src, tried in this order; all if there are none */
	under: string[];
	/** ids of statements; all if undefined */
	only: string[] | undefined;
	/** leaves out what has an outcome */
	unrecorded: boolean;
	minutes: number;
	/** outcomes of recorded runs */
	earlier: Tried[];
	log: (line: string) => void;
};

/** Outcomes of interrupted runs. */
const KEPT = join(FOLDER, "outcomes.jsonl");

/** Removes the checks and throws of the package one at a time, and reports which ones a test notices. */
export const runStatements = async ({
	under,
	only,
	unrecorded,
	minutes,
	earlier,
	log,
}: Options): Promise<StatementsSummary> => {
	const until = Date.now() + minutes * 60_000;
	mkdirSync(FOLDER, { recursive: true });
	const outcomes = [...earlier, ...readKept()];
	const hasOutcome = (id: string): boolean => outcomes.some((one) => one.id === id && one.noticedBy !== null);
	const statements = findStatements();
	const chosen = inOrder(statements, under).filter(
		({ id }) => (!only || only.includes(id)) && !(unrecorded && hasOutcome(id)),
	);
	const files = testFiles(under);
	const reaches = await findReach(files, until, log);
	if (reaches.size < files.length)
		log(`the time was over before all test files had run: ${reaches.size} of ${files.length}`);
	const isComplete = reaches.size === files.length;
	await tryStatements(chosen, reaches, until, log, (tried) => {
		// a test that has not run yet may notice it
		if (tried.noticedBy === null && !isComplete) return;
		outcomes.push(tried);
		appendFileSync(KEPT, `${JSON.stringify(tried)}\n`);
	});
	removePlan();
	return summarize(statements, outcomes, whyOf);
};

const readKept = (): Tried[] =>
	existsSync(KEPT)
		? readFileSync(KEPT, "utf8")
				.split("\n")
				.filter(Boolean)
				.map((line) => JSON.parse(line) as Tried)
		: [];

const inOrder = (statements: Statement[], under: string[]): Statement[] =>
	under.length === 0
		? statements
		: under.flatMap((folder) => statements.filter(({ file }) => file.startsWith(`${folder}/`)));
