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

const isStale = (): boolean => {
	const sources = ["src", "../../packages/tenants/src"].flatMap((folder) =>
		globSync("**/*.ts", { cwd: join(server, folder) }).map((file) => join(server, folder, file)),
	);
	const built = changedAt(join(server, "dist/main.js"));
	return [...sources, join(server, "tsdown.config.ts")].some((file) => changedAt(file) > built);
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
	if (isStale())
		process.exitCode = spawnSync("tsdown", ["--logLevel", "error"], { cwd: server, stdio: "inherit" }).status ?? 1;
} finally {
	rmdirSync(lock);
}
