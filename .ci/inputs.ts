/*
 * What each step of .ci/run reads. A step whose inputs are those of a recorded green run is skipped (.ci/plan.ts). So an input too many
 * costs a run that was not needed, and an input that is missing hides a failure until the next night.
 *
 * A file that is in no part below is an input of every step. A new folder is read by all until somebody says otherwise.
 */

/** Where `.ci/run --record` keeps what passed. An input of no step: it changes with every record. */
export const GREEN = ".ci/green.json";

const folders = <Name extends string>(...names: Name[]) =>
	Object.fromEntries(names.map((name) => [name, [`${name}/`]])) as Record<Name, string[]>;

/** pnpm reads the manifests of the whole workspace for every command, and vitest all its configurations. */
const READ_BY_ALL = [
	"packages/*/package.json",
	"apps/*/package.json",
	"proof/*/package.json",
	"packages/*/vitest*.ts",
	"apps/*/vitest*.ts",
	"proof/*/vitest*.ts",
	"scripts/vitest*.ts",
];

/** Parts of the repository that some steps do not read. The first part that has a file decides. `*` stands for one name. */
const PARTS = {
	docs: ["docs/", "*.md"],
	readmes: ["packages/*/README.md", "apps/*/README.md", "examples/README.md"],
	// of recorded runs, which documents show
	results: ["proof/*/results/"],
	// what only GitHub, Renovate, linters and nights read
	repository: [
		".github/",
		".changeset/",
		".cspell/",
		".ci/engines/",
		".ci/nightly",
		".dependency-cruiser.mjs",
		".editorconfig",
		"biome.json",
		"cspell.json",
		"knip.json",
		"renovate.json",
	],
	...folders(
		"packages/tenants/scripts",
		"packages/tenants/test",
		"packages/tenants",
		"packages/react/test",
		"packages/react",
		"packages/create/test",
		"packages/create",
		"packages/test-kit/test",
		"packages/test-kit",
		"apps/server/scripts",
		"apps/server/test",
		"apps/server",
		"apps/console/test",
		"apps/console",
		"apps/docs",
		"examples",
		"scripts",
		"proof/bench",
		"proof/browser",
		"proof/conformance",
		"proof/console",
		"proof/engines",
		"proof/examples",
		"proof/installed",
		"proof/isolation",
		"proof/mutation",
		"proof/new-team",
		"proof/pages",
		"proof/runtimes",
		"proof/service",
		"proof/site",
		"proof/surface",
	),
};

type Part = keyof typeof PARTS;
/** A set-up of .ci/setup.sh that only some steps need. */
export type Tool = "databases" | "chromium" | "balancers" | "shipping-tools";

export const TOOLS: Tool[] = ["databases", "chromium", "balancers", "shipping-tools"];

type Step = {
	reads: readonly Part[];
	/** more files, of parts that the step does not read as a whole */
	files?: string[];
	/** steps whose output it uses, in the same checkout */
	needs?: string[];
	uses?: Tool[];
};

const EVERYTHING = Object.keys(PARTS) as Part[];
const CODE = EVERYTHING.filter((part) => /^(packages|apps|proof|scripts)/.test(part));
/** What the built packages, and tests of them, consist of. */
const PACKAGE = ["packages/tenants", "packages/test-kit"] as const;
const SERVICE = [...PACKAGE, "apps/server", "apps/console"] as const;
/** Templates of packages/create are the examples. */
const BUILT = [
	"packages/tenants",
	"packages/react",
	"packages/create",
	"apps/server",
	"apps/console",
	"examples",
] as const;

/** Pages whose code or figures the tests of the package check. */
const TESTED_PAGES = [
	"docs/engine-versions.md",
	"docs/guides/b2b.md",
	"docs/guides/redis.md",
	"docs/guides/row-level-data.md",
	"docs/limits.md",
	"docs/moving-in.md",
	"docs/plugins.md",
	"docs/policy.md",
	"docs/providers.md",
	"docs/providers/",
	"docs/testing.md",
	"docs/transfer.md",
];

const TESTS: Step = {
	reads: [
		...PACKAGE,
		"packages/tenants/scripts",
		"packages/tenants/test",
		"packages/react",
		"packages/react/test",
		"readmes",
	],
	files: TESTED_PAGES,
};

export const STEPS: Record<string, Step> = {
	lint: { reads: EVERYTHING },
	"lint-code": { reads: CODE, files: [".dependency-cruiser.mjs"] },
	typecheck: { reads: CODE },
	spell: { reads: EVERYTHING },
	"test-tools": { reads: EVERYTHING, uses: ["databases"] },
	build: { reads: BUILT },
	package: { reads: [...CODE, "examples", "readmes", "repository"], needs: ["build"] },
	release: { reads: [...CODE, "examples", "readmes", "repository"], needs: ["build"] },
	// a page may link to any file, and a link to a missing one fails the build
	"site-build": { reads: EVERYTHING },
	test: { ...TESTS, uses: ["databases", "chromium"] },
	"server-e2e": {
		reads: [...SERVICE, "apps/server/scripts", "proof/service", "proof/conformance", "readmes"],
		needs: ["build"],
		uses: ["databases", "balancers"],
	},
	"isolation-model": { reads: [...PACKAGE, "proof/isolation"], uses: ["databases"] },
	server: {
		reads: [...SERVICE, "apps/server/scripts", "apps/server/test", "readmes"],
		files: ["docs/guides/b2b.md", "docs/moving-in.md", "docs/runbook.md", "docs/slo.md"],
		needs: ["build"],
		uses: ["databases", "balancers", "shipping-tools"],
	},
	installed: {
		reads: [...PACKAGE, "packages/react", "proof/installed", "readmes"],
		files: [
			"README.md",
			"docs/guides/b2b.md",
			"docs/start/",
			"scripts/check-snippets.ts",
			"scripts/code-blocks.ts",
			"scripts/public-docs.ts",
			"scripts/reference/markdown.ts",
			"scripts/snippet-prelude.ts",
		],
		needs: ["build"],
	},
	// its tables name tests, which have to exist
	surface: {
		reads: [...PACKAGE, "packages/tenants/test", "proof/surface"],
		files: ["docs/guides/b2b.md", "docs/namespaces.md", "docs/stored-values.md", "docs/testing.md"],
		uses: ["databases"],
	},
	"isolation-faults": { reads: [...PACKAGE, "proof/isolation"], uses: ["databases"] },
	e2e: { reads: [...PACKAGE, "proof/browser"], files: ["docs/rotation.md"], uses: ["databases", "chromium"] },
	examples: {
		reads: [...BUILT, "packages/test-kit", "proof/examples", "readmes"],
		needs: ["build"],
		uses: ["databases", "chromium"],
	},
	site: { reads: EVERYTHING, needs: ["site-build"], uses: ["chromium"] },
	pages: { reads: [...SERVICE, "proof/pages"], needs: ["build"], uses: ["databases", "chromium"] },
	console: { reads: [...SERVICE, "proof/console"], needs: ["build"], uses: ["databases", "chromium"] },
	"test-slow": { ...TESTS, uses: ["databases"] },
	// it compares with what is recorded
	bench: {
		reads: [...SERVICE, "proof/bench"],
		files: ["proof/bench/results/", "docs/upstream/"],
		needs: ["build"],
		uses: ["databases"],
	},
	conformance: { reads: [...PACKAGE, "proof/conformance"], uses: ["databases"] },
};

/** A pattern as an expression: `docs/` has every file below it. */
const expressionOf = (pattern: string): RegExp => {
	const names = pattern.split("*").map((text) => text.replaceAll(".", "\\."));
	return new RegExp(`^${names.join("[^/]*")}${pattern.endsWith("/") ? "" : "$"}`);
};

const expressions = new Map<string, RegExp>();
const matches = (path: string, patterns: readonly string[]): boolean =>
	patterns.some((pattern) => {
		const expression = expressions.get(pattern) ?? expressionOf(pattern);
		expressions.set(pattern, expression);
		return expression.test(path);
	});

/** By path: every step asks for every file. */
const parts = new Map<string, Part | undefined>();
const partOf = (path: string): Part | undefined => {
	if (!parts.has(path))
		parts.set(path, matches(path, READ_BY_ALL) ? undefined : EVERYTHING.find((part) => matches(path, PARTS[part])));
	return parts.get(path);
};

export const stepOf = (name: string): Step => {
	const step = STEPS[name];
	if (!step) throw new Error(`The step ${name} has no inputs. Declare what it reads in .ci/inputs.ts.`);
	return step;
};

/** Whether a file is an input of a step. */
export const isInput = (name: string, path: string): boolean => {
	if (path === GREEN) return false;
	const { reads, files = [] } = stepOf(name);
	const part = partOf(path);
	return part === undefined || reads.includes(part) || matches(path, files);
};
