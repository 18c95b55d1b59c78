import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseDocument } from "yaml";
import { ENGINES } from "./engines.ts";

/*
 * Runs a command on a copy of the workspace with another version of Better Auth:
 *
 *   node scripts/with-engine.ts 1.7.18 pnpm test
 *   node scripts/with-engine.ts 1.7.18 --lock      resolves its dependencies again and keeps the lockfile
 */

const [version = "", ...command] = process.argv.slice(2);
const overrides = ENGINES[version];
if (!overrides || command.length === 0) {
	console.error(`usage: node scripts/with-engine.ts ${Object.keys(ENGINES).join("|")} COMMAND… or --lock`);
	process.exit(2);
}

const root = join(import.meta.dirname, "..");
const copy = join(tmpdir(), `better-auth-tenants-engine-${version}`);
const lockfile = join(root, ".ci/engines", `${version}.yaml`);
const lock = command[0] === "--lock";

const run = (name: string, given: string[], cwd: string): void => {
	const { status, signal } = spawnSync(name, given, { cwd, stdio: "inherit" });
	if (status !== 0) {
		console.error(`${name} ${given.join(" ")}: ${signal ?? `exit ${status}`}`);
		process.exit(status ?? 1);
	}
};

const copyWorkspace = (): void => {
	rmSync(copy, { recursive: true, force: true });
	const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { cwd: root });
	for (const file of String(listed.stdout).split("\0")) {
		// a deleted file is still listed until it is committed
		if (file === "" || !existsSync(join(root, file))) continue;
		mkdirSync(dirname(join(copy, file)), { recursive: true });
		copyFileSync(join(root, file), join(copy, file));
	}
};

const useEngine = (): void => {
	const file = join(copy, "pnpm-workspace.yaml");
	const workspace = parseDocument(readFileSync(file, "utf8"));
	for (const [name, chosen] of Object.entries(overrides)) {
		if (workspace.hasIn(["catalog", name])) workspace.setIn(["catalog", name], chosen);
	}
	workspace.set("overrides", overrides);
	writeFileSync(file, String(workspace));
	if (!lock) copyFileSync(lockfile, join(copy, "pnpm-lock.yaml"));
};

copyWorkspace();
useEngine();
run("pnpm", ["install", "--prefer-offline", lock ? "--no-frozen-lockfile" : "--frozen-lockfile"], copy);
if (lock) copyFileSync(join(copy, "pnpm-lock.yaml"), lockfile);
else run(command[0] ?? "", command.slice(1), copy);
