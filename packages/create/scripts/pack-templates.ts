import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TEMPLATES } from "../src/templates.ts";

const HERE = import.meta.dirname;
const EXAMPLES = join(HERE, "../../../examples");
const TARGET = join(HERE, "../dist/templates");

/** Copies the examples into the package. Git knows which files belong to them: no `.env`, no database, nothing installed. */
const packTemplate = (name: string, range: string): void => {
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
	edit(join(target, "package.json"), /("better-auth-tenants": )"[^"]*"/, `$1"${range}"`);
	// the project has a `.env` already
	edit(join(target, "README.md"), /^cp \.env\.example \.env.*\n/m, "");
};

const edit = (file: string, pattern: RegExp, replacement: string): void => {
	const text = readFileSync(file, "utf8");
	if (!pattern.test(text)) throw new Error(`${file} does not contain ${pattern}.`);
	writeFileSync(file, text.replace(pattern, replacement));
};

rmSync(TARGET, { recursive: true, force: true });
const { version } = JSON.parse(readFileSync(join(HERE, "../../tenants/package.json"), "utf8")) as { version: string };
for (const { name } of TEMPLATES) packTemplate(name, `^${version}`);
console.log(`Packed ${TEMPLATES.length} templates.`);
