import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ENGINE, type PatchName, patchFile } from "./patches.ts";

/** Imports the copied packages by their names. */
const ENTRY = `export { betterAuth } from "better-auth";
export { getMigrations } from "better-auth/db/migration";
export * as plugins from "better-auth/plugins";
`;

/**
 * Copies the installed Better Auth and those of its packages that share its core into an empty folder, applies the
 * patches, and returns the file to import. Other dependencies are linked. The installed files stay as they are.
 */
export const copyEngine = (folder: string, patches: readonly PatchName[]): string => {
	const modules = join(folder, "node_modules");
	const siblings = modulesBeside(ENGINE);
	const copied = new Map([...siblings].filter(([name]) => name === "better-auth" || isEnginePackage(name)));
	for (const [name, from] of copied) {
		const to = join(modules, name);
		cpSync(from, to, { recursive: true, filter: (file) => file !== join(from, "node_modules") });
		for (const [dependency, real] of modulesBeside(from))
			if (!copied.has(dependency)) link(real, join(to, "node_modules", dependency));
	}
	for (const patch of patches) applyPatch(modules, patch);
	const entry = join(folder, "engine.mjs");
	writeFileSync(entry, ENTRY);
	return entry;
};

/** Applies a patch, or throws with the complaint of git. `check` only tries. */
export const applyPatch = (modules: string, patch: PatchName, { check = false } = {}): void => {
	execFileSync("git", ["apply", ...(check ? ["--check"] : []), patchFile(patch)], {
		cwd: modules,
		// a repository around the folder would make git skip files outside of it
		env: { ...process.env, GIT_DIR: "/nonexistent" },
		stdio: ["ignore", "ignore", "pipe"],
	});
};

// utils has no state and no core
const isEnginePackage = (name: string): boolean => name.startsWith("@better-auth/") && name !== "@better-auth/utils";

/** The packages that a package can import, by name, at their real places. */
const modulesBeside = (packageFolder: string): Map<string, string> => {
	const modules = packageFolder.slice(0, packageFolder.lastIndexOf("/node_modules/") + "/node_modules".length);
	const names = readdirSync(modules).flatMap((name) =>
		name.startsWith("@") ? readdirSync(join(modules, name)).map((own) => `${name}/${own}`) : [name],
	);
	return new Map(
		names
			.filter((name) => existsSync(join(modules, name, "package.json")))
			.map((name) => [name, realpathSync(join(modules, name))]),
	);
};

const link = (from: string, to: string): void => {
	mkdirSync(dirname(to), { recursive: true });
	symlinkSync(from, to);
};
