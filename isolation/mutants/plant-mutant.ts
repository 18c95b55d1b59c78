import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Defence } from "./defence.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Inside the project, so that packages are found; not in git. */
const FOLDER = join(ROOT, "isolation", ".mutants");
/** The sources, and what the tests read besides them. */
const COPIED = ["src", "test", "scripts", "docs", "package.json", "tsconfig.json", "vitest.config.ts"];

/** A copy of the project. */
export type Copy = {
	/** the tests are run here */
	root: string;
	/** its src/ */
	source: string;
	remove: () => Promise<void>;
};

/** The project as it stands when the run begins: all mutants are made from it, whatever is edited meanwhile. */
export const copyProject = async (): Promise<Copy> => {
	await rm(FOLDER, { recursive: true, force: true });
	const copy = await copyTo("unchanged", ROOT, COPIED);
	// with the last copy goes the folder
	return { ...copy, remove: () => rm(FOLDER, { recursive: true, force: true }) };
};

/** A copy with one defence taken out. */
export const plantMutant = async (project: Copy, defence: Defence): Promise<Copy> => {
	const copy = await copyTo(defence.id, project.root, defence.caughtBy === "tests" ? COPIED : ["src"]);
	await writeFile(join(copy.source, defence.file), await takeOut(project, defence));
	return copy;
};

const copyTo = async (name: string, from: string, parts: string[]): Promise<Copy> => {
	const root = join(FOLDER, name);
	await mkdir(root, { recursive: true });
	for (const part of parts) await cp(join(from, part), join(root, part), { recursive: true });
	return { root, source: join(root, "src"), remove: () => rm(root, { recursive: true, force: true }) };
};

/** The file without the defence. Throws where the defence is not there exactly once: it was changed, so look at it again. */
export const takeOut = async (
	{ source }: Pick<Copy, "source">,
	{ id, file, find, replace }: Defence,
): Promise<string> => {
	const text = await readFile(join(source, file), "utf8");
	const matches = typeof find === "string" ? text.split(find).length - 1 : [...text.matchAll(globally(find))].length;
	if (matches !== 1)
		throw new Error(`The defence "${id}" is in src/${file} ${matches} times and not once: adapt isolation/mutants.`);
	// in a string a $ means itself, with a pattern $1 its group
	const changed = typeof find === "string" ? text.replace(find, () => replace) : text.replace(find, replace);
	if (changed === text) throw new Error(`The mutant "${id}" changes nothing in src/${file}: adapt isolation/mutants.`);
	return changed;
};

const globally = ({ source, flags }: RegExp): RegExp => new RegExp(source, `${flags.replace("g", "")}g`);
