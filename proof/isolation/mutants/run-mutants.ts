import { setTimeout as wait } from "node:timers/promises";
import { startTestServers } from "test-kit/servers/test-servers";
import { assertCompiles } from "./assert-compiles.ts";
import { catchMutant, type ModelRun } from "./catch-mutant.ts";
import { type Control, runControl } from "./control.ts";
import type { Defense } from "./defense.ts";
import { DEFENSES } from "./defenses.ts";
import { type CaughtMutant, type MutantsSummary, summarize } from "./mutants-summary.ts";
import { type Copy, copyProject, plantMutant } from "./plant-mutant.ts";

export type MutantsResult = MutantsSummary & {
	/** the unchanged sources with the same operations, seed and tests: nothing is found */
	control: Control;
	seed: number;
};

type Options = {
	/** ids of defenses; all if undefined */
	only?: string[] | undefined;
	operations?: number;
	tenants?: number;
	seed?: number;
	log?: (line: string) => void;
};

/** There are two cores, and a mutant needs the application and its attacker. */
const AT_ONCE = 2;
const MOST_MINUTES = 10;

/** Removes the defenses one at a time, and reports which mutants were caught and by what. */
export const runMutants = async ({
	only,
	operations = 3_000,
	tenants = 50,
	seed = 1,
	log = (line) => console.error(line),
}: Options = {}): Promise<MutantsResult> => {
	const defenses = choose(only);
	const started = Date.now();
	const project = await copyProject();
	// once for all mutants, which each run their tests in a separate process
	const stopServers = await startTestServers();
	const heartbeat = setInterval(() => log(`… ${secondsSince(started)} s`), 10_000);
	try {
		log(`compiling ${defenses.length} mutants`);
		await assertCompiles(project, defenses);
		log("control: the unchanged sources");
		const run: ModelRun = { operations, tenants, seed };
		const control = await runControl(project, defenses, run);
		if (control.findings.length > 0)
			throw new Error(`The unchanged sources fail, so nothing can be caught:\n${control.findings.join("\n")}`);

		const byMutant: CaughtMutant[] = [];
		const waiting = [...defenses];
		const work = async (): Promise<void> => {
			for (let defense = waiting.shift(); defense; defense = waiting.shift()) {
				const outcome = await tryOut(project, defense, run);
				byMutant.push(outcome);
				const { finding, problem, seconds } = outcome;
				log(`${byMutant.length}/${defenses.length} ${defense.id}: ${finding ?? problem ?? "SURVIVED"} (${seconds} s)`);
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
		return { ...summarize(byMutant), control, seed };
	} finally {
		await stopServers();
		clearInterval(heartbeat);
		await project.remove();
	}
};

const choose = (only: string[] | undefined): Defense[] => {
	const twice = DEFENSES.find(({ id }, at) => DEFENSES.findIndex((other) => other.id === id) !== at);
	if (twice) throw new Error(`Two defenses have the id "${twice.id}"`);
	const unknown = only?.find((id) => !DEFENSES.some((defense) => defense.id === id));
	if (unknown) throw new Error(`Unknown defense "${unknown}". Choose from ${DEFENSES.map(({ id }) => id).join(", ")}`);
	return only ? DEFENSES.filter(({ id }) => only.includes(id)) : DEFENSES;
};

const tryOut = async (project: Copy, defense: Defense, run: ModelRun): Promise<CaughtMutant> => {
	const started = Date.now();
	const at = new Date(started).toISOString();
	const { id, name, threats, caughtBy } = defense;
	const copy = await plantMutant(project, defense);
	try {
		const { finding, operations } = await inTime(catchMutant(defense, copy, run));
		return { id, at, name, threats, caughtBy, finding, operations, seconds: secondsSince(started) };
	} catch (error) {
		const problem = `NOT RUN: ${error instanceof Error ? error.message || error.stack : String(error)}`;
		return {
			id,
			at,
			name,
			threats,
			caughtBy,
			finding: null,
			problem,
			operations: null,
			seconds: secondsSince(started),
		};
	} finally {
		await copy.remove();
	}
};

/** A mutant may hang. Its processes end with this one. */
const inTime = async <Result>(trying: Promise<Result>): Promise<Result> => {
	const stop = new AbortController();
	const late = wait(MOST_MINUTES * 60_000, undefined, { signal: stop.signal }).then(() => {
		throw new Error(`not done after ${MOST_MINUTES} minutes`);
	});
	return Promise.race([trying, late]).finally(() => stop.abort());
};

const secondsSince = (started: number): number => Math.round((Date.now() - started) / 100) / 10;
