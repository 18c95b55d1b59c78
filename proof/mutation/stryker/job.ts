import { readFileSync } from "node:fs";

/** What one run of Stryker does. The plugins in its processes read it. */
export type Job = {
	/** test files below packages/tenants */
	tests: string[];
	/** how many milliseconds of tests a mutant faces */
	most: number;
	/** mutants that a test is known to notice, which do not run again */
	killed: string[];
	/** the mutants that run; all others if null. Both name the file as well */
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
export const isAsked = ({ killed, only }: Job): ((name: string) => boolean) => {
	const [left, chosen] = [new Set(killed), only && new Set(only)];
	return (name) => !left.has(name) && (chosen?.has(name) ?? true);
};

const SOURCE = "packages/tenants/src/";

/** The path below src/ of a file that Stryker names. */
export const fileOf = ({ fileName }: { fileName: string }): string =>
	fileName.slice(fileName.lastIndexOf(SOURCE) + SOURCE.length);

/** Names a mutant in all files. */
export const nameOf = (file: string, key: string): string => `${file} ${key}`;

/** Names a mutant of a file, whose lines and columns begin at this number. */
export const keyOf = ({ location: { start, end }, mutatorName, replacement = "" }: Mutation, first: 0 | 1): string => {
	const at = ({ line, column }: Place): string => `${line + 1 - first}:${column + 1 - first}`;
	return `${at(start)}-${at(end)} ${mutatorName} ${replacement}`;
};
