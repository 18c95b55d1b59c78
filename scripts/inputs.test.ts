import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { GREEN, isInput, STEPS, TOOLS } from "../.ci/inputs.ts";

const ROOT = join(import.meta.dirname, "..");

const listed = execFileSync("bash", [join(ROOT, ".ci/run"), "--list"], { encoding: "utf8" })
	.trim()
	.split("\n");
const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean);

const stepsReading = (path: string): string[] => Object.keys(STEPS).filter((name) => isInput(name, path));

describe("the inputs of the steps", () => {
	it("are declared for each step of .ci/run, in its order, and for no other", () => {
		expect(Object.keys(STEPS)).toEqual(listed);
	});

	it("have every file but the record of green runs", () => {
		expect(tracked.filter((path) => stepsReading(path).length === 0)).toEqual([GREEN]);
	});

	it("of steps that use another step's output name a step before them", () => {
		for (const [name, { needs = [] }] of Object.entries(STEPS))
			for (const needed of needs) expect(listed.indexOf(needed), name).toBeLessThan(listed.indexOf(name));
	});

	it("name set-ups that .ci/setup.sh has", () => {
		const setup = readFileSync(join(ROOT, ".ci/setup.sh"), "utf8");
		for (const tool of TOOLS) expect(setup).toContain(`\nsetup ${tool} `);
	});

	it.each([
		["docs/hosts.md", ["lint", "spell", "test-tools", "site-build", "site"]],
		["docs/policy.md", ["lint", "spell", "test-tools", "site-build", "test", "site", "test-slow"]],
		["CONTRIBUTING.md", ["lint", "spell", "test-tools", "site-build", "site"]],
		[".github/workflows/ci.yml", ["lint", "spell", "test-tools", "package", "release", "site-build", "site"]],
	])("let a change of %s run only what reads it", (path, names) => {
		expect(tracked).toContain(path);
		expect(stepsReading(path)).toEqual(names);
	});

	it.each([
		"packages/tenants/src/scope/request/decide.ts",
		"packages/test-kit/src/world.ts",
		"pnpm-lock.yaml",
		".ci/run",
		".ci/inputs.ts",
		"proof/bench/vitest.config.ts",
	])("let a change of %s run everything that tests it", (path) => {
		expect(tracked).toContain(path);
		// the linter of code and the templates read no test kit
		const others = path.startsWith("packages/test-kit/") ? ["build"] : [];
		expect(stepsReading(path)).toEqual(listed.filter((name) => !others.includes(name)));
	});

	it("let a file in a folder that nobody declared run everything", () => {
		expect(stepsReading("proof/of-tomorrow/run.ts")).toEqual(listed);
		expect(stepsReading("tomorrow.json")).toEqual(listed);
	});
});

/** The folders of the workspace, by the names of their packages. */
const packages = new Map(
	globSync("{packages,apps,proof}/*/package.json", { cwd: ROOT }).map((file): [string, string] => [
		JSON.parse(readFileSync(join(ROOT, file), "utf8")).name,
		dirname(file),
	]),
);
const files = new Set(tracked);
const folders = new Set(
	tracked.flatMap((path) => path.split("/").map((_, depth, names) => names.slice(0, depth).join("/"))),
);

/** They read sources and run none of them. What the build copies is declared by hand: the templates, and files of their own part. */
const READERS = ["lint-code", "typecheck", "build", "package", "release"];

/** Named, and not read in CI: documents, pictures and results are written by hand and by night. */
const WRITTEN: Record<string, string[]> = {
	"apps/server/scripts/draw-mail.ts": ["docs/screenshots/"],
	"proof/bench/write-docs.ts": ["docs/performance.md", "docs/plots/"],
	"proof/browser/support/visitor.ts": ["docs/screenshots/"],
	"proof/conformance/run.ts": ["docs/conformance.md"],
	"proof/console/run.ts": ["docs/screenshots/", "proof/console/results/"],
	"proof/examples/run.ts": ["proof/examples/results/"],
	"proof/examples/write-docs.ts": ["proof/examples/results/"],
	// planted mutants are, which nights try
	"proof/isolation/results.ts": ["proof/isolation/results/", "proof/mutation/results/"],
	"proof/isolation/write-docs.ts": ["docs/isolation.md"],
	"proof/pages/run.ts": ["docs/screenshots/", "proof/pages/results/"],
	"proof/service/results.ts": ["proof/service/results/"],
	"proof/service/scale-docs.ts": ["docs/scale.md"],
	"proof/service/write-docs.ts": ["docs/service.md"],
};

/** Pages that a test names one by one. They are in .ci/inputs.ts. */
const COMPOSED: Record<string, string[]> = {
	"packages/tenants/test/limits/invented-names.security.test.ts": ["limits.md", "guides/redis.md"],
	"packages/tenants/test/testing/b2b-page.test.ts": ["testing.md", "guides/b2b.md"],
};

type Named = { source: string; path: string; isImport: boolean };

/** The files, folders (`docs/`) and packages (as their folder) that a source imports or names by a relative path. */
const namedBy = (source: string): Named[] => {
	const text = readFileSync(join(ROOT, source), "utf8");
	const imports = [...text.matchAll(/\b(?:from|import) ?\(?\s*"([^"]+)"/g)].map(([, name = ""]) => name);
	const strings = [...text.matchAll(/["`](\.\.?\/[^"`$\n]*)/g)].map(([, path = ""]) => path);
	const pathOf = (name: string): string[] => {
		const folder = packages.get(name.split("/", 1)[0] ?? "");
		if (folder) return [`${folder}/`];
		if (!name.startsWith(".")) return [];
		const path = normalize(join(dirname(source), name)).replace(/\/$/, "");
		if (files.has(path)) return [path];
		if (!folders.has(path)) return [];
		return COMPOSED[source]?.map((page) => `${path}/${page}`) ?? [`${path}/`];
	};
	return [
		...imports.flatMap(pathOf).map((path) => ({ source, path, isImport: true })),
		...strings.flatMap(pathOf).map((path) => ({ source, path, isImport: false })),
	].filter(({ path }) => !WRITTEN[source]?.includes(path));
};

/** A folder is an input if a new file in it would be. */
const isRead = (name: string, path: string): boolean => isInput(name, path.endsWith("/") ? `${path}new` : path);

it("have everything that their sources import or name", () => {
	const named = tracked.filter((path) => /\.(ts|tsx|mjs|js)$/.test(path)).flatMap(namedBy);
	expect(named.length).toBeGreaterThan(10_000);
	const missing = listed.flatMap((name) =>
		named
			.filter(({ isImport }) => isImport || !READERS.includes(name))
			.filter(({ source, path }) => isInput(name, source) && !isRead(name, path))
			// it looks whether they exist
			.filter(({ source }) => name !== "surface" || !source.startsWith("packages/tenants/test/"))
			.map(({ source, path }) => `${name} reads ${source}, which names ${path}`),
	);
	expect(missing).toEqual([]);
});
