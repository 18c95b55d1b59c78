import { runModel } from "../model/run-model.ts";
import { describeLeak, type ModelRun } from "./catch-mutant.ts";
import type { Defense, TestDefense } from "./defense.ts";
import type { Copy } from "./plant-mutant.ts";
import { runTests } from "./run-tests.ts";

/** The result for the unchanged sources. */
export type Control = {
	operations: number;
	tests: number;
	seconds: number;
	/** must be empty, or nothing can be caught */
	findings: string[];
};

/**
 * Runs everything that the mutants will face on the unchanged sources. A test that fails here cannot catch a mutant.
 */
export const runControl = async ({ root, source }: Copy, defenses: Defense[], run: ModelRun): Promise<Control> => {
	const started = Date.now();
	const findings: string[] = [];
	let operations = 0;
	const playModel = async (redis: boolean): Promise<void> => {
		if (!defenses.some((defense) => defense.caughtBy === "model" && (defense.redis ?? false) === redis)) return;
		const seen = await runModel({ ...run, redis, source, failFast: true, log: () => {} });
		operations += seen.operations;
		findings.push(...seen.leaks.map(describeLeak));
	};
	await Promise.all([playModel(false), playModel(true)]);
	const byTests = defenses.filter((defense): defense is TestDefense => defense.caughtBy === "tests");
	let tests = 0;
	if (byTests.length > 0) {
		const files = [...new Set(byTests.flatMap(({ files }) => files))];
		const named = [...new Set(byTests.map(({ named }) => named))].join("|");
		const { failed, broken, ran } = await runTests(root, { files, named, workers: 2, bail: false });
		findings.push(...failed, ...broken);
		tests = ran;
	}
	return { operations, tests, seconds: Math.round((Date.now() - started) / 1000), findings };
};
