import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { keptEngines, keptOverrides, lockfileOf } from "./engines/catalog.ts";
import { overridesOf } from "./engines/overrides.ts";
import { npmRegistry } from "./engines/registry.ts";
import { copyWorkspace, useVersions } from "./engines/workspace-copy.ts";

/*
 * Runs a command on a copy of the workspace with another version of Better Auth:
 *
 *   node scripts/with-engine.ts 1.7.7 pnpm test
 *   node scripts/with-engine.ts 1.7.7 --lock      resolves its dependencies again and keeps the lockfile
 *
 * Any published version will do. One with a lockfile in .ci/engines is installed as it was kept.
 */

const [version = "", ...command] = process.argv.slice(2);
if (version === "" || command.length === 0) {
	console.error(`usage: node scripts/with-engine.ts ${keptEngines().join("|")}|VERSION COMMAND… or --lock`);
	process.exit(2);
}

const lock = command[0] === "--lock";
const isKept = !lock && existsSync(lockfileOf(version));
const overrides = isKept ? keptOverrides(version) : overridesOf(version, npmRegistry);
const copy = copyWorkspace(`better-auth-tenants-${version}`);
process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
// after a signal to the group, the command ends by itself, and then the copy is removed
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});

const run = (name: string, given: string[]): void => {
	const { status, signal } = spawnSync(name, given, { cwd: copy, stdio: "inherit" });
	if (status === 0) return;
	console.error(`${name} ${given.join(" ")}: ${signal ?? `exit ${status}`}`);
	process.exit(status ?? 1);
};

useVersions(copy, overrides);
if (isKept) copyFileSync(lockfileOf(version), join(copy, "pnpm-lock.yaml"));
console.log(
	`better-auth ${version}: ${Object.entries(overrides)
		.map((pair) => pair.join("@"))
		.join(" ")}`,
);
run("pnpm", ["install", "--prefer-offline", isKept ? "--frozen-lockfile" : "--no-frozen-lockfile"]);
if (lock) copyFileSync(join(copy, "pnpm-lock.yaml"), lockfileOf(version));
else run(command[0] ?? "", command.slice(1));
