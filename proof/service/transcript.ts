import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Outcome } from "test-kit/results/outcome";
import { matches, readTranscript } from "./transcript-text.ts";

const README = new URL("../../apps/server/README.md", import.meta.url);
/** the directory in which a reader runs the commands */
const CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
const PATIENCE_SECONDS = 120;

export type TranscriptResult = { commands: number };

/** Runs every command of the README's first run in one shell and compares its output. */
export const runTranscript = async ({ log }: { log: (line: string) => void }): Promise<Outcome<TranscriptResult>> => {
	const steps = readTranscript(await readFile(README, "utf8"));
	const marker = "end of step";
	// each step's output ends with a marker; stderr is merged in order
	const script = steps.map(({ command }) => `${command}\nprintf '\\n%s %s\\n' '${marker}' "$?"`).join("\n");
	const output = await runInShell(script, log);
	const parts = output.split(new RegExp(`\\n?${marker} (\\d+)\\n`));
	const wrong = steps.flatMap(({ command, expected }, index) => {
		const seen = (parts[2 * index] ?? "").replace(/\n+$/, "");
		const status = parts[2 * index + 1];
		if (status === "0" && matches(expected, seen)) return [];
		return [`${command}\n    expected:\n${indent(expected)}\n    got (status ${status ?? "none"}):\n${indent(seen)}`];
	});
	return {
		result: { commands: steps.length },
		wrong,
		lines: [`${steps.length} commands of the README did what it says`],
	};
};

const indent = (text: string): string => text.replace(/^/gm, "      ");

const runInShell = (script: string, log: (line: string) => void): Promise<string> =>
	new Promise((resolve) => {
		// a process group, which ends background processes too
		const shell = spawn("bash", ["-c", `exec 2>&1; set -o pipefail\n${script}`], {
			cwd: CHECKOUT,
			detached: true,
			env: { PATH: process.env.PATH, HOME: process.env.HOME },
			stdio: ["ignore", "pipe", "inherit"],
		});
		let output = "";
		shell.stdout.on("data", (chunk: Buffer) => {
			output += String(chunk);
		});
		const end = () => {
			try {
				if (shell.pid) process.kill(-shell.pid, "SIGKILL");
			} catch {
				// it has already ended
			}
		};
		const late = setTimeout(() => {
			log(`not done after ${PATIENCE_SECONDS} s`);
			end();
		}, PATIENCE_SECONDS * 1000);
		shell.on("exit", () => {
			clearTimeout(late);
			end();
		});
		shell.on("close", () => resolve(output));
	});
