import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const HOUSES = ["packages/tenants/src", "apps/server/src"];

let folder: string | undefined;
afterEach(() => folder && rmSync(folder, { recursive: true, force: true }));

/** The names of the rules that these files break. Each imports the other ones that are given with it. */
const brokenRules = (files: Record<string, string[]>): string[] => {
	folder = mkdtempSync(join(tmpdir(), "floors-"));
	writeFileSync(join(folder, "tsconfig.json"), "{}");
	for (const [file, imports] of Object.entries(files)) {
		mkdirSync(join(folder, dirname(file)), { recursive: true });
		writeFileSync(join(folder, file), `${imports.map((from) => `import "${from}";`).join("\n")}\nexport {};\n`);
	}
	const { stdout } = spawnSync(
		process.execPath,
		[
			join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs"),
			...["--config", join(ROOT, ".dependency-cruiser.mjs"), "--output-type", "json", "packages", "apps"],
		],
		{ cwd: folder, encoding: "utf8" },
	);
	const { summary } = JSON.parse(stdout) as { summary: { violations: { rule: { name: string } }[] } };
	return [...new Set(summary.violations.map(({ rule }) => rule.name))].sort();
};

const emptyHouses = Object.fromEntries(HOUSES.map((house) => [`${house}/lib/ground.ts`, []]));

it.each(HOUSES)("finds a cycle of folders of %s in which no file is", (house) => {
	const broken = brokenRules({
		...emptyHouses,
		[`${house}/features/domains/add.ts`]: ["../policy/read.ts"],
		[`${house}/features/policy/read.ts`]: [],
		[`${house}/features/policy/write.ts`]: ["../domains/list.ts"],
		[`${house}/features/domains/list.ts`]: [],
	});
	expect(broken).toEqual(["no-folder-cycle"]);
});

it("lets folders import each other in one direction", () => {
	const broken = brokenRules({
		...emptyHouses,
		"packages/tenants/src/features/domains/add.ts": ["../policy/read.ts", "../../lib/ground.ts"],
		"packages/tenants/src/features/policy/read.ts": ["../../scope/data/rows.ts"],
		"packages/tenants/src/scope/data/rows.ts": [],
		"packages/tenants/src/index.ts": ["./features/domains/add.ts"],
	});
	expect(broken).toEqual([]);
});

it("lets no file import a floor above its own, or an entry", () => {
	const broken = brokenRules({
		...emptyHouses,
		"packages/tenants/src/scope/data/rows.ts": ["../../features/domains/add.ts"],
		"packages/tenants/src/features/domains/add.ts": [],
		"packages/tenants/src/engine/hook.ts": ["../index.ts"],
		"packages/tenants/src/index.ts": [],
		"apps/server/src/config/mail.ts": ["../mail/names.ts"],
		"apps/server/src/mail/names.ts": [],
	});
	expect(broken).toEqual(["floor-of-server-config", "floor-of-tenants-engine", "floor-of-tenants-scope"]);
});

it("lets one file keep what a call knows", () => {
	const broken = brokenRules({
		...emptyHouses,
		"packages/tenants/src/lib/call.ts": ["node:async_hooks"],
		"packages/tenants/src/scope/pin/other.ts": ["node:async_hooks"],
	});
	expect(broken).toEqual(["one-holder-of-calls"]);
});
