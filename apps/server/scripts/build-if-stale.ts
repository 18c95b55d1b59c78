import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/*
 * Builds the service unless the build is newer than its sources. Tests run the built service, and two suites may start at
 * the same time: a second build would remove the files that the first suite runs.
 */

const server = join(import.meta.dirname, "..");
const lock = join(server, "node_modules/.building");

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether a file of these folders changed after the build was written. */
const isStale = (built: string, folders: string[]): boolean => {
	const builtAt = changedAt(built);
	return folders
		.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,css,js}`, { cwd: server }))
		.some((file) => changedAt(join(server, file)) > builtAt);
};

const build = (command: string, args: string[], cwd: string): void => {
	process.exitCode ||= spawnSync(command, args, { cwd, stdio: "inherit" }).status ?? 1;
};

/** Only one process builds. The others wait for it. */
const takeLock = async (): Promise<void> => {
	for (;;) {
		try {
			return mkdirSync(lock);
		} catch {
			// a build takes a second; an older lock was left by a process that was killed
			if (Date.now() - changedAt(lock) > 120_000) rmdirSync(lock);
			await sleep(100);
		}
	}
};

await takeLock();
try {
	const page = join(server, "../console/dist/index.html");
	const how = changedAt(join(server, "../console/vite.config.ts"));
	if (isStale(page, ["../console/src"]) || how > changedAt(page))
		build("pnpm", ["run", "build"], join(server, "../console"));
	const main = join(server, "dist/main.js");
	// the build of the service contains that of the console, and its dependencies as they were installed
	const contained = [
		page,
		join(server, "../../node_modules/.pnpm/lock.yaml"),
		join(server, "tsdown.config.ts"),
		join(server, "list-bundled.ts"),
	];
	if (
		isStale(main, ["src", "../../packages/tenants/src"]) ||
		contained.some((file) => changedAt(file) > changedAt(main))
	)
		build("tsdown", ["--logLevel", "error"], server);
} finally {
	rmdirSync(lock);
}
