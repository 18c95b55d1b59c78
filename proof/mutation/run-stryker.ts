import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JOB, type Job } from "./stryker/job.ts";
import type { Logged } from "./stryker/reporter.ts";

/** Where the files of the package are, in the workspace and in a checkout. */
export const SOURCE = "packages/tenants/src";

const OPTIONS = {
	// by name, because the default pattern finds nothing in the store of pnpm
	plugins: [
		"@stryker-mutator/vitest-runner",
		"./proof/mutation/stryker/test-runner.ts",
		"./proof/mutation/stryker/reporter.ts",
	],
	testRunner: "in-rounds",
	// the test kit reaches the sources through links of the workspace: beside them it would load the unchanged ones
	inPlace: true,
	// every test is related to the adapter, so the choice is ours
	vitest: { configFile: "proof/mutation/stryker/vitest.config.ts", related: false, pool: "forks" },
	coverageAnalysis: "perTest",
	// messages are no defenses; constants of a module would load the engine again for each mutant
	mutator: { excludedMutations: ["StringLiteral", "OptionalChaining", "ArrayDeclaration"] },
	ignoreStatic: true,
	disableTypeChecks: false,
	concurrency: 2,
	// only ends what hangs: a verdict does not depend on speed
	timeoutMS: 60_000,
	timeoutFactor: 10,
	dryRunTimeoutMinutes: 60,
	ignorePatterns: ["apps", "docs", "examples", "proof", "scripts", "**/dist"],
	reporters: ["outcomes"],
	allowConsoleColors: false,
	logLevel: "warn",
};

/** Mutates source files below src/ with these tests, and returns what it saw. */
export const runStryker = async (
	checkout: string,
	files: string[],
	{ log, ...job }: Pick<Job, "tests" | "most" | "killed" | "only"> & { log: (logged: Logged) => void },
): Promise<void> => {
	const paths = { config: join(checkout, "stryker.json"), job: join(checkout, "job.json") };
	const written: Job = { ...job, log: join(checkout, "outcomes.jsonl"), times: join(checkout, "times.json") };
	for (const path of [written.log, written.times]) rmSync(path, { force: true });
	const mutate = files.map((file) => join(SOURCE, file));
	writeFileSync(paths.config, JSON.stringify({ ...OPTIONS, mutate }));
	writeFileSync(paths.job, JSON.stringify(written));
	const child = spawn(process.execPath, ["node_modules/@stryker-mutator/core/bin/stryker.js", "run", paths.config], {
		cwd: checkout,
		env: { ...process.env, [JOB]: paths.job },
		stdio: ["ignore", "pipe", "pipe"],
		// ended with its workers
		detached: true,
	});
	const output: string[] = [];
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding("utf8").on("data", (text: string) => output.push(text));
	let read = 0;
	const readOn = (): void => {
		const lines = existsSync(written.log) ? readFileSync(written.log, "utf8").split("\n").slice(0, -1) : [];
		for (const line of lines.slice(read)) log(JSON.parse(line) as Logged);
		read = lines.length;
	};
	const timer = setInterval(readOn, 1_000);
	const end = (): void => {
		if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
	};
	process.once("exit", end);
	const status = await new Promise((resolve) => child.once("exit", resolve));
	process.off("exit", end);
	clearInterval(timer);
	readOn();
	if (status !== 0) throw new Error(`Stryker failed for ${files.join(", ")}:\n${output.join("").slice(0, 1500)}`);
	for (const line of output.join("").split("\n")) if (line.includes("fails on the unchanged")) console.error(line);
};
