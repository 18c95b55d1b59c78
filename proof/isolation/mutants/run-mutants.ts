import { setTimeout as wait } from "node:timers/promises";
import { startTestServers } from "test-kit/servers/test-servers";
import { assertCompiles } from "./assert-compiles.ts";
import { catchMutant, type ModelRun } from "./catch-mutant.ts";
import { type Control, runControl } from "./control.ts";
import type { Defence } from "./defence.ts";
import { DEFENCES } from "./defences.ts";
import { type Copy, copyProject, plantMutant } from "./plant-mutant.ts";

type CaughtMutant = {
	id: string;
	name: string;
	threats: number[];
	caughtBy: Defence["caughtBy"];
	/** what gave it away; null where nothing did */
	finding: string | null;
	/** why it could not be tried out; such a mutant counts as one that survived */
	problem?: string;
	/** the model's operations until then; null for tests */
	operations: number | null;
	seconds: number;
};

export type MutantsResult = {
	total: number;
	caught: number;
	caughtByModel: number;
	survived: string[];
	byMutant: CaughtMutant[];
	/** the unchanged sources, under the same operations, seed and tests: nothing is found */
	control: Control;
	seed: number;
};

type Options = {
	/** ids of defences; all of them where it is absent */
	only?: string[] | undefined;
	operations?: number;
	tenants?: number;
	seed?: number;
	log?: (line: string) => void;
};

/** There are two cores, and a mutant is an application and who attacks it. */
const AT_ONCE = 2;
const MOST_MINUTES = 10;

/** Takes the defences out, one at a time, and says which of the broken scopes were caught, and by what. */
export const runMutants = async ({
	only,
	operations = 3_000,
	tenants = 50,
	seed = 1,
	log = (line) => console.error(line),
}: Options = {}): Promise<MutantsResult> => {
	const defences = choose(only);
	const started = Date.now();
	const project = await copyProject();
	// once for all mutants: each of them runs its tests in a process of its own
	const stopServers = await startTestServers();
	const heartbeat = setInterval(() => log(`… ${secondsSince(started)} s`), 10_000);
	try {
		log(`compiling ${defences.length} mutants`);
		await assertCompiles(project, defences);
		log("control: the unchanged sources");
		const run: ModelRun = { operations, tenants, seed };
		const control = await runControl(project, defences, run);
		if (control.findings.length > 0)
			throw new Error(`The unchanged sources are not green, so nothing can be caught:\n${control.findings.join("\n")}`);

		const byMutant: CaughtMutant[] = [];
		const waiting = [...defences];
		const work = async (): Promise<void> => {
			for (let defence = waiting.shift(); defence; defence = waiting.shift()) {
				const outcome = await tryOut(project, defence, run);
				byMutant.push(outcome);
				const { finding, problem, seconds } = outcome;
				log(`${byMutant.length}/${defences.length} ${defence.id}: ${finding ?? problem ?? "SURVIVED"} (${seconds} s)`);
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
		return summarise(defences, byMutant, control, seed);
	} finally {
		await stopServers();
		clearInterval(heartbeat);
		await project.remove();
	}
};

const choose = (only: string[] | undefined): Defence[] => {
	const twice = DEFENCES.find(({ id }, at) => DEFENCES.findIndex((other) => other.id === id) !== at);
	if (twice) throw new Error(`Two defences are called "${twice.id}"`);
	const unknown = only?.find((id) => !DEFENCES.some((defence) => defence.id === id));
	if (unknown) throw new Error(`There is no defence "${unknown}": ${DEFENCES.map(({ id }) => id).join(", ")}`);
	return only ? DEFENCES.filter(({ id }) => only.includes(id)) : DEFENCES;
};

const tryOut = async (project: Copy, defence: Defence, run: ModelRun): Promise<CaughtMutant> => {
	const started = Date.now();
	const { id, name, threats, caughtBy } = defence;
	const copy = await plantMutant(project, defence);
	try {
		const { finding, operations } = await inTime(catchMutant(defence, copy, run));
		return { id, name, threats, caughtBy, finding, operations, seconds: secondsSince(started) };
	} catch (error) {
		const problem = `NOT TRIED OUT: ${error instanceof Error ? error.message || error.stack : String(error)}`;
		return { id, name, threats, caughtBy, finding: null, problem, operations: null, seconds: secondsSince(started) };
	} finally {
		await copy.remove();
	}
};

/** A mutant may hang for ever; what it started ends with this process. */
const inTime = async <Result>(trying: Promise<Result>): Promise<Result> => {
	const stop = new AbortController();
	const late = wait(MOST_MINUTES * 60_000, undefined, { signal: stop.signal }).then(() => {
		throw new Error(`not done after ${MOST_MINUTES} minutes`);
	});
	return Promise.race([trying, late]).finally(() => stop.abort());
};

const secondsSince = (started: number): number => Math.round((Date.now() - started) / 100) / 10;

const summarise = (defences: Defence[], outcomes: CaughtMutant[], control: Control, seed: number): MutantsResult => {
	const byMutant = defences.flatMap(({ id }) => outcomes.filter((outcome) => outcome.id === id));
	const caught = byMutant.filter(({ finding }) => finding !== null);
	return {
		total: byMutant.length,
		caught: caught.length,
		caughtByModel: caught.filter(({ caughtBy }) => caughtBy === "model").length,
		survived: byMutant.filter(({ finding }) => finding === null).map(({ id }) => id),
		byMutant,
		control,
		seed,
	};
};
