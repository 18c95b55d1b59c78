import { cp, lstat, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fillSecrets } from "./fill-secrets.ts";
import { problemOfName } from "./project-name.ts";

export type Project = {
	/** The folder that gets the project's folder. */
	parent: string;
	name: string;
	/** The folder of the template. */
	template: string;
};

/** Copies a template into a new or empty folder, names it, and writes `.env` with fresh secrets. Returns the folder. */
export const scaffold = async ({ parent, name, template }: Project): Promise<string> => {
	const problem = problemOfName(name);
	if (problem) throw new Error(problem);
	const folder = join(parent, name);
	await makeEmpty(folder);
	for (const entry of await readdir(template))
		await cp(join(template, entry), join(folder, entry), { recursive: true, force: false, errorOnExist: true });
	// npm leaves out files with this name, so it is packed under another one
	await rename(join(folder, "_gitignore"), join(folder, ".gitignore"));
	const manifest = join(folder, "package.json");
	const contents = JSON.parse(await readFile(manifest, "utf8")) as Record<string, unknown>;
	await writeFile(manifest, `${JSON.stringify({ ...contents, name }, null, "\t")}\n`);
	const example = await readFile(join(folder, ".env.example"), "utf8");
	await writeFile(join(folder, ".env"), fillSecrets(example), { flag: "wx", mode: 0o600 });
	return folder;
};

/** Makes sure that the folder exists and is empty. Does not follow links, because they can lead anywhere. */
const makeEmpty = async (folder: string): Promise<void> => {
	await mkdir(folder).catch((error: unknown) => {
		if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
	});
	if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is not a folder. Choose another name.`);
	if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty. Choose another name.`);
};
