import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Outcome } from "test-kit/results/outcome";
import { matches, readTranscript } from "./transcript-text.ts";

const ROOT = new URL("../../", import.meta.url);
/** documents whose commands are run, each in a shell of its own */
const DOCUMENTS = ["apps/server/README.md", "docs/runbooks/operators.md"];
/** the directory in which a reader runs the commands */
const CHECKOUT = fileURLToPath(ROOT);
const PATIENCE_SECONDS = 120;

export type TranscriptResult = { commands: number };

type Log = (line: string) => void;

/** Runs every command of the documents, and compares its output. */
export const runTranscript = async ({ log }: { log: Log }): Promise<Outcome<TranscriptResult>> => {
	const wrong: string[] = [];
	let commands = 0;
	for (const name of DOCUMENTS) {
		const run = await runDocument(name, log);
		commands += run.commands;
		wrong.push(...run.wrong.map((what) => `${name}: ${what}`));
	}
	return {
		result: { commands },
		wrong,
		lines: [`${commands} commands of ${DOCUMENTS.length} documents did what they say`],
	};
};

const runDocument = async (name: string, log: Log): Promise<{ commands: number; wrong: string[] }> => {
	const steps = readTranscript(await readFile(new URL(name, ROOT), "utf8"));
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
	return { commands: steps.length, wrong };
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
