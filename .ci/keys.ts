import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { isInput } from "./inputs.ts";

/** Mode and blob id of each file, by its path. */
export type Tree = Map<string, string>;

const list = (root: string, ...args: string[]): string[] =>
	execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 2 ** 20 })
		.split("\0")
		.filter((line) => line !== "");

/** What git would say about the file if it were added now. */
const entryOf = (file: string): string | undefined => {
	const stat = lstatSync(file, { throwIfNoEntry: false });
	if (!stat) return undefined;
	// a repository inside of this one, which git does not look into either
	if (stat.isDirectory()) return "a folder";
	const content = stat.isSymbolicLink() ? Buffer.from(readlinkSync(file)) : readFileSync(file);
	const mode = stat.isSymbolicLink() ? "120000" : stat.mode & 0o100 ? "100755" : "100644";
	return `${mode} ${createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex")}`;
};

/** The files of the work tree as they are, committed or not. Ignored files do not count. */
export const readTree = (root: string): Tree => {
	const tree: Tree = new Map();
	for (const line of list(root, "ls-files", "--stage", "-z")) {
		const [entry = "", path = ""] = line.split("\t");
		// without the stage, which only a merge has, and then the file is read below
		tree.set(path, entry.replace(/ \d$/, ""));
	}
	const touched = [
		...list(root, "diff-files", "--name-only", "-z"),
		...list(root, "ls-files", "--others", "--exclude-standard", "-z"),
	];
	for (const path of touched) {
		const entry = entryOf(join(root, path));
		if (entry === undefined) tree.delete(path);
		else tree.set(path, entry);
	}
	return tree;
};

/** The paths that a commit would add, change or delete. */
export const findUncommitted = (root: string): string[] =>
	list(root, "status", "--porcelain", "--no-renames", "--untracked-files=all", "-z").map((line) => line.slice(3));

/** Results hold for the same kind of machine, the same Node.js and the same databases. */
const surroundings = (): string[] => [
	process.platform,
	process.arch,
	process.version.split(".").slice(0, 2).join("."),
	...Object.entries(process.env)
		.filter(([name]) => name.startsWith("TEST_"))
		.map(([name, value]) => `${name}=${value}`)
		.toSorted(),
];

export const inputsOf = (name: string, tree: Tree): string[] =>
	[...tree.keys()].filter((path) => isInput(name, path)).toSorted();

/** Changes if anything changes that the step reads. Its command is in .ci/run, which is an input of every step. */
export const keyOf = (name: string, tree: Tree): string =>
	createHash("sha256")
		.update(JSON.stringify([name, surroundings(), inputsOf(name, tree).map((path) => [path, tree.get(path)])]))
		.digest("hex");
