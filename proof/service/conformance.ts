import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Outcome } from "test-kit/results/outcome";
import type { RunOptions } from "./part.ts";

export type ConformanceResult = {
	statements: number;
	passed: number;
	failed: string[];
	/** where the package deviates from a statement on purpose, each with its reason; not in results from before */
	deviates?: string[];
	/** what this deployment cannot show, each with its reason */
	notObservable: string[];
};

const CONFORMANCE = fileURLToPath(new URL("../conformance/service.ts", import.meta.url));

/** Runs the conformance suite against the service, as a process, because it belongs to another proof. */
export const runConformance = ({ log }: RunOptions): Promise<Outcome<ConformanceResult>> =>
	new Promise((resolve, reject) => {
		const child = execFile(process.execPath, [CONFORMANCE], { maxBuffer: 64 * 2 ** 20 }, (error, stdout) => {
			if (error) return reject(error);
			resolve(JSON.parse(stdout.trim().split("\n").at(-1) ?? ""));
		});
		child.stderr?.on("data", (text: string) => log(text.trimEnd()));
	});
