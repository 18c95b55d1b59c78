import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogEngine, ROOT } from "../../scripts/engines/catalog.ts";
import type { Count, Part } from "./parts.ts";

/** A part that ran with a version of Better Auth. */
export type PartResult = Count & { engine: string; part: string; command: string; seconds: number; cpuSeconds: number };

/** bash knows the processor time of all processes that it waited for. */
const TIMED = '"$@"; status=$?; times >&3; exit $status';

/** Runs a part with a version of Better Auth: in the workspace if it is installed there, else on a copy. */
export const runPart = (part: Part, engine: string, installed = catalogEngine()): PartResult => {
	const folder = mkdtempSync(join(tmpdir(), "engines-"));
	const file = join(folder, "result.json");
	const command = part.command(file);
	const copied = engine === installed ? [] : ["node", "scripts/with-engine.ts", engine];
	const started = performance.now();
	const run = spawnSync("bash", ["-c", TIMED, "bash", ...copied, ...command], {
		cwd: ROOT,
		stdio: ["ignore", "inherit", "inherit", "pipe"],
	});
	const seconds = Math.round((performance.now() - started) / 1000);
	// a part that ends before it can count has failed
	const counted = existsSync(file) ? part.count(file) : { passed: 0, failed: 1 };
	rmSync(folder, { recursive: true, force: true });
	return {
		engine,
		part: part.name,
		command: part
			.command("FILE")
			.filter((word) => !/^--(?:reporter|outputFile)|^--results$|^FILE$/.test(word))
			.join(" "),
		passed: counted.passed,
		failed: run.status === 0 ? counted.failed : Math.max(counted.failed, 1),
		seconds,
		cpuSeconds: readTimes(String(run.output[3] ?? "")),
	};
};

/** The second line of `times` is about the children: user and system time, such as 1m2.345s. */
export const readTimes = (printed: string): number => {
	const [, children = ""] = printed.trim().split("\n");
	const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
	return Math.round(times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0));
};
