import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runFolder } from "test-kit/run-folder";

const MAIN = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));

/** The program starts twice as fast with compiled code. */
const environment = () => ({
	PATH: process.env.PATH ?? "",
	NODE_NO_WARNINGS: "1",
	NODE_COMPILE_CACHE: join(runFolder(), "compile-cache"),
});

export type Ran = {
	code: number | null;
	stdout: string;
	stderr: string;
	/** stdout as one JSON document */
	json: () => unknown;
	/** stdout as one JSON document per line */
	lines: () => unknown[];
	/** the last line of stderr, parsed */
	error: () => { code: string; message: string; fix?: string };
};

type RunOptions = {
	env?: Record<string, string>;
	stdin?: string;
	/** called with the running process */
	during?: (child: ChildProcess) => void;
	/** flags for Node */
	node?: string[];
};

/** Runs the real program with a separate environment. */
export const runCommand = (args: readonly string[], { env = {}, stdin, during, node = [] }: RunOptions = {}) =>
	new Promise<Ran>((resolve, reject) => {
		const child = spawn(process.execPath, [...node, MAIN, ...args], {
			env: { ...environment(), ...env },
			stdio: ["pipe", "pipe", "pipe"],
		});
		let stdout = "";
		let stderr = "";
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			stdout += text;
		});
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			stderr += text;
		});
		child.on("error", reject);
		child.on("close", (code) =>
			resolve({
				code,
				stdout,
				stderr,
				json: () => JSON.parse(stdout),
				lines: () =>
					stdout
						.split("\n")
						.filter((line) => line !== "")
						.map((line) => JSON.parse(line)),
				error: () => JSON.parse(stderr.trim().split("\n").at(-1) ?? ""),
			}),
		);
		child.stdin.on("error", () => {}); // a command that does not read stdin may have ended
		child.stdin.end(stdin ?? "");
		during?.(child);
	});

/** The same on a pseudo-terminal, created by `script`. Both streams are merged. */
export const runInTerminal = (
	args: readonly string[],
	{ env = {}, typed = "" }: { env?: Record<string, string>; typed?: string } = {},
) =>
	new Promise<{ code: number | null; screen: string }>((resolve, reject) => {
		const command = [process.execPath, MAIN, ...args].map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(" ");
		const child = spawn("script", ["--quiet", "--return", "--flush", "--command", command, "/dev/null"], {
			env: { ...environment(), TERM: "xterm", ...env },
			stdio: ["pipe", "pipe", "pipe"],
		});
		let screen = "";
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			screen += text;
			// type after the question appears
			if (typed !== "" && /(to continue|secret|create one\)): /.test(screen)) {
				child.stdin.write(typed);
				typed = "";
			}
		});
		child.on("error", reject);
		child.on("close", (code) => resolve({ code, screen }));
	});
