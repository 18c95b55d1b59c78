import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { parse } from "yaml";
import * as z from "zod";
import { parseErrors } from "./parse-workflow.ts";
import { renovateConfig } from "./renovate-config.ts";
import { checkWorkflow, findUnnamedVersions, type Steps, stepsRunBy, workflow } from "./workflow-rules.ts";

const schemaOf = (name: string): ValidateFunction => {
	// the schemas use formats and keywords that do not restrict anything
	const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
	return ajv.compile(JSON.parse(readFileSync(join(import.meta.dirname, "schemas", name), "utf8")));
};

const against = (validate: ValidateFunction, content: unknown): string[] =>
	validate(content)
		? []
		: (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);

const complaints = (error: z.ZodError): string[] =>
	error.issues.map(({ path, message }) => `/${path.join("/")} ${message}`);

const readYaml = (root: string, file: string): unknown => parse(readFileSync(join(root, file), "utf8"));

/** The steps of a script in .ci, as listed by the script. */
const listSteps = (root: string, script: string): string[] =>
	execFileSync("bash", [join(root, script), "--list"], { encoding: "utf8" })
		.trim()
		.split("\n");

const checkWorkflows = (root: string): string[] => {
	const steps: Steps = { ".ci/run": listSteps(root, ".ci/run"), ".ci/nightly": listSteps(root, ".ci/nightly") };
	return globSync(".github/workflows/*.{yml,yaml}", { cwd: root })
		.toSorted()
		.flatMap((file) => {
			const text = readFileSync(join(root, file), "utf8");
			const parsed = workflow.safeParse(parse(text));
			const found = [
				...parseErrors(basename(file), text),
				...findUnnamedVersions(text),
				...(parsed.success ? checkWorkflow(parsed.data, steps) : complaints(parsed.error)),
			];
			if (parsed.success && basename(file) === "ci.yml") {
				const run = stepsRunBy(parsed.data, ".ci/run");
				const missing = steps[".ci/run"].filter((name) => !run.includes(name));
				if (missing.length > 0) found.push(`no job runs ${missing.join(", ")} of .ci/run`);
			}
			return found.map((problem) => `${file}: ${problem}`);
		});
};

const checkIssueForms = (root: string): string[] => {
	const form = schemaOf("github-issue-forms.json");
	const chooser = schemaOf("github-issue-config.json");
	return globSync(".github/ISSUE_TEMPLATE/*.{yml,yaml}", { cwd: root })
		.toSorted()
		.flatMap((file) => {
			const content = readYaml(root, file);
			if (basename(file) !== "config.yml") return against(form, content).map((problem) => `${file}: ${problem}`);
			const found = against(chooser, content);
			if (!JSON.stringify(content).includes("/SECURITY.md")) found.push("no link leads to SECURITY.md");
			return found.map((problem) => `${file}: ${problem}`);
		});
};

const checkRenovate = (root: string): string[] => {
	const parsed = renovateConfig.safeParse(JSON.parse(readFileSync(join(root, "renovate.json"), "utf8")));
	if (!parsed.success) return complaints(parsed.error).map((problem) => `renovate.json: ${problem}`);
	const { catalog } = z
		.object({ catalog: z.record(z.string(), z.string()) })
		.parse(readYaml(root, "pnpm-workspace.yaml"));
	const ranges = Object.entries(catalog).filter(
		([, version]) => !/^(npm:[\w./@-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
	);
	const unknown = parsed.data.packageRules
		.flatMap(({ matchPackageNames = [] }) => matchPackageNames)
		.filter((name) => !name.includes("*") && !(name in catalog));
	return [
		...ranges.map(([name, version]) => `pnpm-workspace.yaml: ${name} is ${version}. Use an exact version.`),
		...unknown.map((name) => `renovate.json: ${name} is not in the catalog of pnpm-workspace.yaml.`),
	];
};

const checkOwners = (root: string): string[] =>
	readFileSync(join(root, ".github/CODEOWNERS"), "utf8")
		.split("\n")
		.filter((line) => line.startsWith("/"))
		.map((line) => line.split(/\s/, 1)[0] ?? "")
		.filter((path) => !existsSync(join(root, path)))
		.map((path) => `.github/CODEOWNERS: ${path} does not exist.`);

/** Finds mistakes in the files of GitHub and Renovate, which cannot be run locally. */
export const findProblems = (root: string): string[] => [
	...checkWorkflows(root),
	...checkIssueForms(root),
	...checkRenovate(root),
	...checkOwners(root),
];

/** Part of `pnpm lint`. */
if (import.meta.main) {
	const problems = findProblems(join(import.meta.dirname, ".."));
	for (const problem of problems) console.error(problem);
	console.log(`Checked workflows, issue forms, renovate.json and CODEOWNERS: ${problems.length} problems.`);
	process.exitCode = problems.length > 0 ? 1 : 0;
}
