import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What happened to a mutant, from the strongest to the weakest. */
export const STATES = ["killed", "survived", "static", "not reached"] as const;

export type Outcome = {
	/** where it is, which mutator made it, and the replacement */
	key: string;
	state: (typeof STATES)[number];
	/** how many tests ran with it */
	tests: number;
	/** the test that failed, with the first line of its error */
	by: string;
};

/** The outcomes of one file, by the keys of the mutants. */
export type Outcomes = Map<string, Outcome>;

/** An outcome counts for the text of the file that it was seen with. The last line of a file says that it is complete. */
type Line = { file: string; hash: string } & (Outcome | { complete: true });

/** Ignored by git. */
const FOLDER = join(import.meta.dirname, ".mutants");
const KEPT = join(FOLDER, "outcomes.jsonl");

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** What interrupted runs saw of a file with this text. */
export const readKept = (file: string, hash: string): { outcomes: Outcomes; isComplete: boolean } => {
	const lines = existsSync(KEPT) ? readFileSync(KEPT, "utf8").split("\n").filter(Boolean) : [];
	const own = lines.map((line) => JSON.parse(line) as Line).filter((line) => line.file === file && line.hash === hash);
	const outcomes: Outcomes = new Map();
	for (const line of own) if (!("complete" in line)) add(outcomes, line);
	return { outcomes, isComplete: own.some((line) => "complete" in line) };
};

export const keep = (line: Line): void => {
	mkdirSync(FOLDER, { recursive: true });
	appendFileSync(KEPT, `${JSON.stringify(line)}\n`);
};

/** Adds what another round saw of a mutant. Tests that do not reach it take nothing back. */
const add = (outcomes: Outcomes, { key, state, tests, by }: Outcome): void => {
	const before = outcomes.get(key);
	const isStronger = !before || STATES.indexOf(state) <= STATES.indexOf(before.state);
	if (isStronger) outcomes.set(key, { key, state, tests, by });
};
