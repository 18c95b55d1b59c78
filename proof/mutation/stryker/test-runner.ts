import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileOf, isAsked, keyOf, nameOf, type Place, readJob } from "./job.ts";
import { retireWorker } from "./kept-worker.ts";

type Mutant = {
	id: string;
	fileName: string;
	location: { start: Place; end: Place };
	mutatorName: string;
	replacement: string;
};
type RunOptions = { testFilter?: string[]; activeMutant: Mutant };
type Result = {
	status: "killed" | "survived" | "timeout" | "error";
	killedBy?: string[];
	failureMessage?: string;
	errorMessage?: string;
	reason?: string;
	nrOfTests?: number;
};
type Test = { id: string; status: number; failureMessage?: string };
type DryRun = { status: string; tests?: Test[]; mutantCoverage?: { perTest: Record<string, object> } };
type Runner = {
	dryRun: (options: object) => Promise<DryRun>;
	mutantRun: (options: RunOptions) => Promise<Result>;
	init: () => Promise<void>;
	dispose: () => Promise<void>;
	capabilities: () => object;
};
type Factory = ((injector: object) => Runner) & { inject: string[] };

/** How many tests a mutant faces in each round. Most are killed by the first, and hundreds reach common code. */
const ROUNDS = [4, 16, 64];
/** Milliseconds that a test file takes besides its tests. Fast ones would otherwise run by the thousand. */
const OF_FILE = 200;
/** No mutant has this id, so the sources are unchanged. */
const NONE = "none";
const FAILED = 1;

// only the checkout has it
const installed: string = "@stryker-mutator/vitest-runner";
const { strykerPlugins: plugins } = (await import(installed)) as { strykerPlugins: [{ factory: Factory }] };
const [{ factory: vitestRunner }] = plugins;

const job = readJob();
const asked = isAsked(job);

/** Runs each mutant in rounds, and counts no kill that the unchanged sources would cause as well. */
const inRounds = (vitest: Runner): Runner => {
	const killsWithout = async (options: RunOptions, tests: string[]): Promise<boolean> => {
		const unchanged = { ...options.activeMutant, id: NONE };
		return (await vitest.mutantRun({ ...options, activeMutant: unchanged, testFilter: tests })).status !== "survived";
	};
	/** A mutant may leave something behind that fails later tests of its process. */
	const runSoundly = async (options: RunOptions, tests: string[]): Promise<Result> => {
		const first = await vitest.mutantRun({ ...options, testFilter: tests });
		if (first.status === "survived" || !(await killsWithout(options, first.killedBy?.slice(0, 1) ?? tests)))
			return first;
		retireWorker();
		const second = await vitest.mutantRun({ ...options, testFilter: tests });
		retireWorker();
		if (second.status === "survived" || !(await killsWithout(options, second.killedBy?.slice(0, 1) ?? tests)))
			return second;
		throw new Error(`${tests.join(", ")} fails on the unchanged sources`);
	};
	return {
		init: () => vitest.init(),
		dispose: () => vitest.dispose(),
		capabilities: () => vitest.capabilities(),
		dryRun: async (options) => withoutFailed(await vitest.dryRun(options)),
		mutantRun: async (options) => {
			if (!asked(nameOf(fileOf(options.activeMutant), keyOf(options.activeMutant, 0))))
				return { status: "survived", nrOfTests: 0 };
			const waiting = chooseTests(options.activeMutant, options.testFilter ?? []);
			let passed = 0;
			for (let round = 0; waiting.length > 0; round += 1) {
				const result = await runSoundly(options, waiting.splice(0, ROUNDS[round]));
				if (result.status === "error") return killed(result.errorMessage, passed);
				if (result.status === "timeout") return killed(`does not end: ${result.reason ?? ""}`, passed);
				passed += result.nrOfTests ?? 0;
				if (result.status === "killed") return { ...result, nrOfTests: passed };
			}
			return { status: "survived", nrOfTests: passed };
		},
	};
};

const killed = (failureMessage = "", nrOfTests = 0): Result => ({
	status: "killed",
	killedBy: [],
	failureMessage,
	nrOfTests,
});

/** A test that fails without a mutant can notice none. */
const withoutFailed = (result: DryRun): DryRun => {
	for (const { id, failureMessage } of result.tests?.filter(({ status }) => status === FAILED) ?? []) {
		console.error(`fails on the unchanged sources: ${id}: ${failureMessage?.split("\n", 1)[0]}`);
		delete result.mutantCoverage?.perTest[id];
	}
	return result.tests ? { ...result, tests: result.tests.filter(({ status }) => status !== FAILED) } : result;
};

/** The tests that a mutant faces: those of the file that is named like its own, then the fastest of every file, and so on. */
const chooseTests = (mutant: Mutant, tests: string[]): string[] => {
	const times = existsSync(job.times) ? (JSON.parse(readFileSync(job.times, "utf8")) as Record<string, number>) : {};
	const timeOf = (test: string): number => times[test] ?? 0;
	const name = `/${basename(mutant.fileName, ".ts")}.`;
	const before = new Map<string, number>();
	const sorted = [...new Set(tests)]
		.sort((one, other) => timeOf(one) - timeOf(other))
		.map((test) => {
			const file = test.split("#", 1)[0] ?? "";
			const place = before.get(file) ?? 0;
			before.set(file, place + 1);
			return { test, place: file.includes(name) ? 0 : place };
		})
		.sort((one, other) => one.place - other.place);
	const files = new Set<string>();
	let left = job.most;
	return sorted
		.filter(({ test }, at) => {
			const file = test.split("#", 1)[0] ?? "";
			left -= timeOf(test) + (files.has(file) ? 0 : OF_FILE);
			if (at > 0 && left <= 0) return false;
			files.add(file);
			return true;
		})
		.map(({ test }) => test);
};

export const strykerPlugins = [
	{
		kind: "TestRunner",
		name: "in-rounds",
		factory: Object.assign((injector: object) => inRounds(vitestRunner(injector)), { inject: vitestRunner.inject }),
	},
];
