import { readFileSync } from "node:fs";

/** What one run of Stryker does. The plugins in its processes read it. */
export type Job = {
	/** only writes down which test reaches what */
	reachOnly: boolean;
	/** test files below packages/tenants, the nearest first */
	tests: string[];
	/** mutants that a test is known to notice, which do not run again */
	killed: string[];
	/** the mutants that run; all others if null */
	only: string[] | null;
	/** a line of JSON for each outcome */
	log: string;
	/** what each test took, as the first run of the tests saw it */
	times: string;
};

/** Names the job to the processes of Stryker. */
export const JOB = "MUTATION_JOB";

export const readJob = (): Job => JSON.parse(readFileSync(process.env[JOB] ?? "", "utf8")) as Job;

export type Place = { line: number; column: number };
type Mutation = { location: { start: Place; end: Place }; mutatorName: string; replacement?: string };

/** Whether a mutant runs. */
export const isAsked = ({ killed, only }: Job): ((key: string) => boolean) => {
	const [left, chosen] = [new Set(killed), only && new Set(only)];
	return (key) => !left.has(key) && (chosen?.has(key) ?? true);
};

/** Names a mutant of a file, whose lines and columns begin at this number. */
export const keyOf = ({ location: { start, end }, mutatorName, replacement = "" }: Mutation, first: 0 | 1): string => {
	const at = ({ line, column }: Place): string => `${line + 1 - first}:${column + 1 - first}`;
	return `${at(start)}-${at(end)} ${mutatorName} ${replacement}`;
};
