import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const REPOSITORY = "git+https://github.com/better-auth-tenants/better-auth-tenants.git";

const manifest = z.looseObject({
	name: z.string(),
	version: z.string(),
	license: z.string().optional(),
	repository: z.looseObject({ url: z.string(), directory: z.string().optional() }).optional(),
	publishConfig: z.looseObject({ access: z.string().optional(), provenance: z.boolean().optional() }).optional(),
	scripts: z.record(z.string(), z.string()).optional(),
	dependencies: z.record(z.string(), z.string()).optional(),
	peerDependencies: z.record(z.string(), z.string()).optional(),
});

/** Scripts that npm runs at whoever installs the package. */
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

/** What a tarball never contains, at any depth. Templates of packages/create have their own sources. */
const FOREIGN = /(^|\/)(node_modules|\.git|\.env|test)(\/|$)|\.(tgz|db|log)$|^src\//;

/** Finds problems of an unpacked tarball: what is in it, and what its manifest tells npm. */
export const checkPackage = (folder: string, expected: { name: string; version: string; folder: string }): string[] => {
	const found: string[] = [];
	const must = (holds: unknown, problem: string): void => {
		if (!holds) found.push(problem);
	};
	const read = manifest.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
	must(read.name === expected.name && read.version === expected.version, `is ${read.name}@${read.version}.`);
	must(read.license === "MIT", "has no license MIT in its manifest.");
	must(
		read.repository?.url === REPOSITORY && read.repository.directory === expected.folder,
		"does not name its repository and folder. npm compares them with the provenance.",
	);
	must(read.publishConfig?.access === "public", "has no publishConfig.access public.");
	must(read.publishConfig?.provenance === true, "has no publishConfig.provenance.");
	for (const script of INSTALL_SCRIPTS) must(!read.scripts?.[script], `runs a script at ${script}.`);
	for (const [name, range] of Object.entries({ ...read.dependencies, ...read.peerDependencies }))
		must(!/^(workspace|catalog|file|link|git)/.test(range), `needs ${name} from ${range}.`);
	for (const file of ["LICENSE", "README.md", "CHANGELOG.md"])
		must(existsSync(join(folder, file)), `contains no ${file}.`);
	const changelog = join(folder, "CHANGELOG.md");
	if (existsSync(changelog))
		must(
			readFileSync(changelog, "utf8").split("\n").includes(`## ${expected.version}`),
			`has no entry for ${expected.version} in CHANGELOG.md.`,
		);
	const files = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
	for (const file of files) must(!FOREIGN.test(file), `contains ${file}.`);
	for (const file of files.filter((name) => name.endsWith(".map"))) found.push(...checkMap(folder, file));
	return found;
};

const sourceMap = z.looseObject({ sources: z.array(z.string()), sourcesContent: z.array(z.string()).optional() });

/** A map that points to a file which is not in the package leads a debugger nowhere, and tells paths of the machine. */
const checkMap = (folder: string, file: string): string[] => {
	const { sources, sourcesContent } = sourceMap.parse(JSON.parse(readFileSync(join(folder, file), "utf8")));
	return sources
		.filter(
			(source, at) =>
				source.startsWith("/") || (!sourcesContent?.[at] && !existsSync(join(folder, file, "..", source))),
		)
		.map((source) => `has ${file}, which points to ${source}.`);
};
