import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runFolder } from "test-kit/run-folder";

const MAIN = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));

/** The program starts in half the time where it finds its code compiled. */
const environment = () => ({
	PATH: process.env.PATH ?? "",
	NODE_NO_WARNINGS: "1",
	NODE_COMPILE_CACHE: join(runFolder(), "compile-cache"),
});

export type Ran = {
	code: number | null;
	stdout: string;
	stderr: string;
	/** what stdout holds, as one JSON document */
	json: () => unknown;
	/** what stdout holds, as a JSON document a line */
	lines: () => unknown[];
	/** what the last line of stderr says */
	error: () => { code: string; message: string; fix?: string };
};

type RunOptions = {
	env?: Record<string, string>;
	stdin?: string;
	/** handed the process while it runs */
	during?: (child: ChildProcess) => void;
	/** flags of node itself */
	node?: string[];
};

/** Runs the real program with an environment of its own: nothing of the test's leaks into it. */
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
		child.stdin.on("error", () => {}); // a command that does not read it may be gone
		child.stdin.end(stdin ?? "");
		during?.(child);
	});

/** The same under a terminal of its own, as `script` makes one; both streams come as one. */
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
			// whoever types waits for the question
			if (typed !== "" && /(to go on|secret): /.test(screen)) {
				child.stdin.write(typed);
				typed = "";
			}
		});
		child.on("error", reject);
		child.on("close", (code) => resolve({ code, screen }));
	});
