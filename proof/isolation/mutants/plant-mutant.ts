import { cp, mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Defense } from "./defense.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** Inside the project, so that tools find their configuration. Ignored by git. */
const FOLDER = join(ROOT, "proof/isolation/.mutants/copies");
const PACKAGES = ["packages/tenants", "packages/test-kit"];
const SOURCE = "packages/tenants/src";
/** The package, its test kit, and what the tests read besides them. */
const COPIED = [...PACKAGES, "scripts", "docs", "package.json", "tsconfig.json", "vitest.config.ts"];

/** A copy of the project. */
export type Copy = {
	/** where the tests run */
	root: string;
	/** the sources of the package */
	source: string;
	remove: () => Promise<void>;
};

/** A snapshot of the project at the start of the run. All mutants are made from it, regardless of later edits. */
export const copyProject = async (folder = FOLDER): Promise<Copy> => {
	await rm(folder, { recursive: true, force: true });
	const copy = await copyTo(join(folder, "unchanged"), ROOT, COPIED);
	// the last copy removes the directory
	return { ...copy, remove: () => rm(folder, { recursive: true, force: true }) };
};

/** A snapshot in a folder of its own, for a run that can take place beside another one. */
export const copySources = (): Promise<Copy> => copyProject(`${FOLDER}-${process.pid}`);

/** A copy without one defense. With `others`, also without those behind which its absence would not be seen. */
export const plantMutant = async (project: Copy, defense: Defense, others: Defense[] = []): Promise<Copy> => {
	const copy = await copyTo(
		join(dirname(project.root), defense.id),
		project.root,
		defense.caughtBy === "tests" ? COPIED : [SOURCE],
	);
	for (const one of [defense, ...others]) await writeFile(join(copy.source, one.file), await takeOut(copy, one));
	return copy;
};

const copyTo = async (root: string, from: string, parts: string[]): Promise<Copy> => {
	await mkdir(root, { recursive: true });
	const isOurs = (path: string): boolean => !NOT_COPIED.has(basename(path));
	for (const part of parts) await cp(join(from, part), join(root, part), { recursive: true, filter: isOurs });
	await symlink(join(ROOT, "node_modules"), join(root, "node_modules"));
	for (const name of PACKAGES) await linkDependencies(root, name);
	return { root, source: join(root, SOURCE), remove: () => rm(root, { recursive: true, force: true }) };
};

const NOT_COPIED = new Set(["node_modules", "dist", "test-results"]);

/** The packages that a package of the copy imports: the copy's own if it has one, otherwise the project's. */
const linkDependencies = async (root: string, name: string): Promise<void> => {
	const installed = join(ROOT, name, "node_modules");
	const scopes = await readdir(installed);
	const names = await Promise.all(
		scopes.map(async (scope) =>
			scope.startsWith("@") ? (await readdir(join(installed, scope))).map((own) => `${scope}/${own}`) : [scope],
		),
	);
	const copied = new Map<string, string>(PACKAGES.map((path) => [join(ROOT, path), join(root, path)]));
	for (const dependency of names.flat()) {
		const target = await realpath(join(installed, dependency));
		const link = join(root, name, "node_modules", dependency);
		await mkdir(dirname(link), { recursive: true });
		await symlink(copied.get(target) ?? target, link);
	}
};

/** Removes the defense from its file. Throws unless it is there exactly once, because it may have changed. */
export const takeOut = async (
	{ source }: Pick<Copy, "source">,
	{ id, file, find, replace }: Defense,
): Promise<string> => {
	const text = await readFile(join(source, file), "utf8");
	const matches = typeof find === "string" ? text.split(find).length - 1 : [...text.matchAll(globally(find))].length;
	if (matches !== 1)
		throw new Error(
			`The defense "${id}" is in src/${file} ${matches} times instead of once. Update proof/isolation/mutants.`,
		);
	// in a string, $ is literal; in a pattern, $1 is a group
	const changed = typeof find === "string" ? text.replace(find, () => replace) : text.replace(find, replace);
	if (changed === text)
		throw new Error(`The mutant "${id}" changes nothing in src/${file}. Update proof/isolation/mutants.`);
	return changed;
};

const globally = ({ source, flags }: RegExp): RegExp => new RegExp(source, `${flags.replace("g", "")}g`);
