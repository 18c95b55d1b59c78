import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TEMPLATES } from "../src/templates.ts";

const HERE = import.meta.dirname;
const EXAMPLES = join(HERE, "../../../examples");
const TARGET = join(HERE, "../dist/templates");

/** Copies the examples into the package. Git knows which files belong to them: no `.env`, no database, nothing installed. */
const packTemplate = (name: string): void => {
	const source = join(EXAMPLES, name);
	const target = join(TARGET, name);
	const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
		cwd: source,
		encoding: "utf8",
	});
	const files = listed.split("\n").filter((file) => file !== "" && file !== "package-lock.json");
	for (const file of files) cpSync(join(source, file), join(target, file));
	// npm leaves out files with this name
	renameSync(join(target, ".gitignore"), join(target, "_gitignore"));
	// a template installs the version that it was released with
	const manifest = join(target, "package.json");
	edit(manifest, /("better-auth-tenants": )"[^"]*"/, `$1"^${versionOf("tenants")}"`);
	if (name === "hono-react") edit(manifest, /("better-auth-tenants-react": )"[^"]*"/, `$1"^${versionOf("react")}"`);
	// the project has a `.env` already
	edit(join(target, "README.md"), /^cp \.env\.example \.env.*\n/m, "");
};

const edit = (file: string, pattern: RegExp, replacement: string): void => {
	const text = readFileSync(file, "utf8");
	if (!pattern.test(text)) throw new Error(`${file} does not contain ${pattern}.`);
	writeFileSync(file, text.replace(pattern, replacement));
};

const versionOf = (folder: string): string =>
	JSON.parse(readFileSync(join(HERE, "../..", folder, "package.json"), "utf8")).version;

rmSync(TARGET, { recursive: true, force: true });
for (const { name } of TEMPLATES) packTemplate(name);
console.log(`Packed ${TEMPLATES.length} templates.`);
