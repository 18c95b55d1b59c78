import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GREEN, STEPS, stepOf, TOOLS } from "./inputs.ts";
import { findUncommitted, inputsOf, keyOf, readTree } from "./keys.ts";

/*
 * Decides what .ci/run runs, and records what passed. .ci/green.sh calls it, in the root of the repository.
 *
 *   plan.ts plan [--all] STEP…        prints `run STEP KEY`, `skip STEP DATE` and `spare SET-UP` lines
 *   plan.ts clean                     fails if something is not committed
 *   plan.ts passed STEP KEY SECONDS   records the step, unless its inputs changed since it had that key
 *   plan.ts failed STEP               forgets the step
 *   plan.ts inputs STEP               prints its input files
 */

type Passed = { key: string; at: string; seconds: number };
type Green = Record<string, Passed>;

const ROOT = process.cwd();
const FILE = join(ROOT, GREEN);

const readGreen = (): Green => {
	try {
		return JSON.parse(readFileSync(FILE, "utf8"));
	} catch {
		// after a merge with conflicts, for example. Then every step runs
		console.error(`${GREEN} cannot be read. Nothing is skipped because of it.`);
		return {};
	}
};

const changeGreen = (change: (green: Green) => void): void => {
	const green = readGreen();
	change(green);
	const known = Object.keys(STEPS).flatMap((name) => (green[name] ? [[name, green[name]]] : []));
	writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(known), null, "\t")}\n`);
};

/** The steps that run, and those they need. */
const withNeeded = (running: string[], names: string[]): Set<string> => {
	const all = new Set(running);
	// a set that grows while it is read: needed steps may need others
	for (const name of all) for (const needed of stepOf(name).needs ?? []) if (names.includes(needed)) all.add(needed);
	return all;
};

const plan = (names: string[], isForced: boolean): string[] => {
	const [tree, green] = [readTree(ROOT), readGreen()];
	const keys = new Map(names.map((name) => [name, keyOf(name, tree)]));
	const running = withNeeded(
		names.filter((name) => isForced || green[name]?.key !== keys.get(name)),
		names,
	);
	const used = [...running].flatMap((name) => stepOf(name).uses ?? []);
	const spared = running.size === 0 ? ["pnpm", "shell-tools", ...TOOLS, "install"] : TOOLS;
	return [
		...names.map((name) => (running.has(name) ? `run ${name} ${keys.get(name)}` : `skip ${name} ${green[name]?.at}`)),
		...spared.filter((tool) => !used.some((one) => one === tool)).map((tool) => `spare ${tool}`),
	];
};

const checkClean = (): void => {
	const uncommitted = findUncommitted(ROOT).filter((path) => path !== GREEN);
	if (uncommitted.length === 0) return;
	console.error(`Not committed: ${uncommitted.join(", ")}. Commit, then record a run of what is committed.`);
	process.exitCode = 1;
};

const record = (name: string, key: string, seconds: string): void => {
	if (keyOf(name, readTree(ROOT)) !== key) {
		console.log(`${name} is not recorded: its inputs changed during the run`);
		return;
	}
	changeGreen((green) => {
		green[name] = { key, at: new Date().toISOString().slice(0, 10), seconds: Number(seconds) };
	});
};

const [command, ...given] = process.argv.slice(2);
const [name = "", key = "", seconds = ""] = given;
if (command === "plan") {
	const names = given.filter((one) => one !== "--all");
	console.log(plan(names, given.includes("--all")).join("\n"));
} else if (command === "clean") checkClean();
else if (command === "passed") record(name, key, seconds);
else if (command === "failed") changeGreen((green) => delete green[name]);
else if (command === "inputs") console.log(inputsOf(name, readTree(ROOT)).join("\n"));
else throw new Error(`There is no command ${command}. See the head of .ci/plan.ts.`);
