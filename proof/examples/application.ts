import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startChild } from "test-kit/servers/child";
import { sendTo } from "./send-to.ts";

const run = promisify(execFile);

// the network settings of this machine stay; what names a mode, or packages of the workspace, does not
const { NODE_ENV: _mode, NODE_PATH: _packages, ...machine } = process.env;
const environment = {
	...machine,
	BETTER_AUTH_TELEMETRY: "0",
	NEXT_TELEMETRY_DISABLED: "1",
	WRANGLER_SEND_METRICS: "false",
};

/** Replaces values in the application's `.env`. Names that it does not have are left out. */
export const configure = async (folder: string, values: Record<string, string>): Promise<void> => {
	const file = join(folder, ".env");
	let text = await readFile(file, "utf8");
	for (const [name, value] of Object.entries(values)) {
		text = text.replace(new RegExp(`^${name}=.*$`, "m"), () => `${name}=${value}`);
	}
	await writeFile(file, text);
};

/** Runs npm in the folder of an application. Throws with what it printed. */
export const npm = async (folder: string, ...args: string[]): Promise<string> => {
	const options = { cwd: folder, env: environment, maxBuffer: 2 ** 26 };
	const { stdout } = await run("npm", args, options).catch((error: unknown) => {
		const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
		throw new Error(`npm ${args.join(" ")}: ${stdout}${stderr}`);
	});
	return stdout;
};

/** Megabytes of the installed packages. */
export const installedSize = async (folder: string): Promise<number> => {
	const { stdout } = await run("du", ["--summarize", "--block-size=1000000", "node_modules"], { cwd: folder });
	return Number(stdout.split("\t")[0]);
};

/** Starts the application and waits until it responds. `end` ends it with every process that it started. */
export const start = async (folder: string, platform: string, given: string[] = []) => {
	// a process group of its own: npm starts a shell, and that starts the server
	const child = startChild("npm", ["start", ...given], { cwd: folder, env: environment, detached: true });
	const group = -(child.pid ?? 0);
	const end = async (): Promise<void> => {
		if (!child.isOver()) process.kill(group, "SIGTERM");
		await child.exited;
	};
	try {
		await child.until(async () => (await sendTo(platform, "/")).status < 500);
	} catch (error) {
		await end();
		throw error;
	}
	return { end, lines: child.lines };
};
