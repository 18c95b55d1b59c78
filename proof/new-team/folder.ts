import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

type Environment = Record<string, string>;

export type Running = { stop: () => Promise<void>; output: () => string };

export type Folder = {
	path: string;
	write: (files: Record<string, string>) => Promise<void>;
	/** Runs a command as in a terminal and returns what it printed. Throws with it if the command fails. */
	shell: (script: string, extra?: Environment) => Promise<string>;
	/** Starts a program that goes on, and waits until it prints the text. */
	start: (file: string, text: string) => Promise<Running>;
	/** Pastes a script into a terminal, and leaves it running. */
	open: (script: string) => Running & { ended: Promise<void> };
	remove: () => Promise<void>;
};

/** An empty folder outside the workspace, so that nothing is found that the team did not install. */
export const createFolder = async (environment: Environment): Promise<Folder> => {
	const path = await mkdtemp(join(tmpdir(), "new-team-"));
	// the network settings of this machine stay; what names a mode, or packages of the workspace, does not
	const { NODE_ENV: _mode, NODE_PATH: _packages, ...machine } = process.env;
	const env = (extra: Environment = {}) => ({
		...machine,
		BETTER_AUTH_TELEMETRY: "0",
		...environment,
		...extra,
	});
	return {
		path,
		write: async (files) => {
			for (const [name, text] of Object.entries(files)) {
				await mkdir(dirname(join(path, name)), { recursive: true });
				await writeFile(join(path, name), text);
			}
		},
		shell: async (script, extra) => {
			const options = { cwd: path, env: env(extra), maxBuffer: 2 ** 26 };
			const { stdout, stderr } = await run("bash", ["-e", "-c", script], options).catch((error: unknown) => {
				throw new Error(`${script}\n${printedBy(error)}`);
			});
			return stdout + stderr;
		},
		start: async (file, text) => {
			const child = spawn("node", [file], { cwd: path, env: env(), stdio: ["ignore", "pipe", "pipe"] });
			const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
			let printed = "";
			await new Promise<void>((resolve, reject) => {
				for (const stream of [child.stdout, child.stderr])
					stream.setEncoding("utf8").on("data", (chunk: string) => {
						printed += chunk;
						if (printed.includes(text)) resolve();
					});
				void ended.then(() => reject(new Error(`${file} ended: ${printed}`)));
			});
			const stop = async () => {
				child.kill();
				await ended;
			};
			return { stop, output: () => printed };
		},
		open: (script) => {
			// a group of its own, because the server is a child of the terminal, and often has children itself
			const child = spawn("bash", ["-e", "-c", script], {
				cwd: path,
				env: env(),
				stdio: ["ignore", "pipe", "pipe"],
				detached: true,
			});
			const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
			let printed = "";
			for (const stream of [child.stdout, child.stderr])
				stream.setEncoding("utf8").on("data", (chunk: string) => {
					printed += chunk;
				});
			const stop = async () => {
				if (child.pid) await endGroup(child.pid);
				await ended;
			};
			return { stop, output: () => printed, ended };
		},
		remove: () => rm(path, { recursive: true, force: true }),
	};
};

/** Ends a group of processes and waits for all of them: a development server writes files until its last one is gone. */
const endGroup = async (group: number): Promise<void> => {
	try {
		process.kill(-group);
		for (;;) {
			await new Promise((resolve) => setTimeout(resolve, 50));
			process.kill(-group, 0);
		}
	} catch (error) {
		if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
	}
};

const printedBy = (error: unknown): string => {
	if (!(error instanceof Error)) return String(error);
	const { stdout, stderr } = error as Error & { stdout?: string; stderr?: string };
	return `${stdout ?? ""}${stderr ?? error.message}`;
};

/** The code block below a comment such as \`<!-- new-team:migrate -->\` on a page of the documentation. */
export const blockOf = async (page: string, mark: string): Promise<string> => {
	const text = await readFile(new URL(`../../${page}`, import.meta.url), "utf8");
	const found = new RegExp(`<!-- new-team:${mark} -->\\n+\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
	if (!found) throw new Error(`${page} has no block "${mark}".`);
	return found;
};
