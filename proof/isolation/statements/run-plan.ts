import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Logged } from "./log-results.ts";
import { PLAN, type Plan, ROOT } from "./plan.ts";

/** Longer than any test may take, so a process without a result for that long hangs. */
const MOST_SILENCE = 150_000;

/** Runs vitest and returns the results, also of a run that was ended because it hung or because its time was over. */
export const runPlan = async ({ path, log }: Plan, until: number): Promise<{ results: Logged[]; hangs: Logged[] }> => {
	const config = join(import.meta.dirname, "vitest.config.ts");
	const child = spawn(process.execPath, [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--config", config], {
		cwd: ROOT,
		env: { ...process.env, [PLAN]: path },
		stdio: ["ignore", "ignore", "pipe"],
		// ended with its workers
		detached: true,
	});
	const output: string[] = [];
	child.stderr.setEncoding("utf8").on("data", (text: string) => output.push(text));
	let isHanging = false;
	const end = (): void => {
		if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
	};
	const timer = setInterval(() => {
		isHanging = Date.now() - statSync(log).mtimeMs > MOST_SILENCE;
		if (isHanging || Date.now() > until) end();
	}, 1_000);
	// it is in a group of its own, so nobody else ends it
	const endAll = (): void => {
		end();
		process.exit(1);
	};
	process.once("SIGINT", endAll).once("SIGTERM", endAll);
	await new Promise((resolve) => child.once("exit", resolve));
	process.off("SIGINT", endAll).off("SIGTERM", endAll);
	clearInterval(timer);
	const results = readLog(log);
	if (results.length === 0 && Date.now() < until) throw new Error(`No test ran:\n${output.join("").slice(-2000)}`);
	return { results, hangs: isHanging ? running(results) : [] };
};

const readLog = (log: string): Logged[] =>
	readFileSync(log, "utf8")
		.split("\n")
		.filter((line) => line.endsWith("}"))
		.map((line) => JSON.parse(line) as Logged);

const running = (results: Logged[]): Logged[] =>
	results.filter(
		(one) =>
			one.state === "running" &&
			!results.some((other) => other !== one && other.statement === one.statement && other.test === one.test),
	);
