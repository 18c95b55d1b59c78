import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProblems } from "./repository-files.ts";

const ROOT = join(import.meta.dirname, "..");

/** The checked files. Directories in CODEOWNERS are checked in the real repository. */
const SCRIPTS = ["run", "nightly", "steps.sh", "setup.sh", "green.sh"].map((name) => `.ci/${name}`);
const COPIED = [...SCRIPTS, ".node-version", ".github", "renovate.json"];

let copy: string;
beforeEach(() => {
	copy = mkdtempSync(join(tmpdir(), "repository-"));
	for (const path of [...COPIED, "pnpm-workspace.yaml"])
		cpSync(join(ROOT, path), join(copy, path), { recursive: true });
	writeFileSync(join(copy, ".github/CODEOWNERS"), "* @better-auth-tenants/maintainers\n/.github/ @somebody\n");
});
afterEach(() => rmSync(copy, { recursive: true }));

/** Plants a mistake. The text to replace must exist. */
const plant = (file: string, find: string, replacement: string): string[] => {
	const text = readFileSync(join(copy, file), "utf8");
	expect(text).toContain(find);
	writeFileSync(join(copy, file), text.replace(find, replacement));
	return findProblems(copy);
};

describe("the files that GitHub and Renovate read", () => {
	it("have no mistakes", () => {
		expect(findProblems(ROOT)).toEqual([]);
		expect(findProblems(copy)).toEqual([]);
	});

	const ci = ".github/workflows/ci.yml";
	const CHECKOUT = /checkout@([0-9a-f]{40})/.exec(readFileSync(join(ROOT, ci), "utf8"))?.[1] ?? "";
	const bug = ".github/ISSUE_TEMPLATE/bug.yml";
	it.each([
		[
			"an unknown key of a workflow",
			ci,
			"timeout-minutes: 20",
			"timeout-seconds: 20",
			"Unexpected value 'timeout-seconds'",
		],
		["an expression that does not parse", ci, "github.event_name ==", "github.event_name = =", "Unexpected symbol"],
		[
			"a step that .ci/run does not know",
			ci,
			".ci/run --changed test",
			".ci/run --changed nothing",
			"runs nothing, which .ci/run --list does not show",
		],
		["a step that no job runs", ci, " isolation-faults\n\n", "\n\n", "no job runs isolation-faults of .ci/run"],
		["an action that is pinned to a tag", ci, `checkout@${CHECKOUT}`, "checkout@v5.0.0", "Pin it to a commit"],
		["a pin to a short commit", ci, CHECKOUT, CHECKOUT.slice(0, 12), "Pin it to a commit"],
		["a pin without its version", ci, `${CHECKOUT} # v5.0.0`, CHECKOUT, "Name the version of the commit"],
		["a workflow without permissions", ci, "permissions:\n  contents: read\n", "", "/permissions"],
		[
			"a write permission for every job",
			ci,
			"contents: read",
			"contents: write",
			"grants every job a write permission",
		],
		[
			"a token that is left in .git",
			ci,
			"persist-credentials: false",
			"show-progress: false",
			"leaves the token in .git",
		],
		[
			"an expression in a script",
			ci,
			"run: .ci/run --changed test",
			`run: echo \${{ github.head_ref }} && .ci/run test`,
			"Pass it by env",
		],
		["a trigger that trusts outside code", ci, "pull_request:", "pull_request_target:", "runs outside code"],
		["a job that never ends", ci, "    timeout-minutes: 40\n", "", "/jobs/tests/timeout-minutes"],
		["an unknown type of field in a form", bug, "type: dropdown", "type: menu", "bug.yml: /body/1"],
		[
			"a form without a description",
			bug,
			"description: Something does not behave as documented.\n",
			"",
			"'description'",
		],
		[
			"a chooser that hides SECURITY.md",
			".github/ISSUE_TEMPLATE/config.yml",
			"SECURITY.md\n",
			"README.md\n",
			"no link leads to SECURITY.md",
		],
		["actions that nobody updates", "renovate.json", "helpers:pin", "helpers:no", "pinGitHubActionDigestsToSemver"],
		["an unknown option of Renovate", "renovate.json", '"groupName"', '"groupLabel"', "groupLabel"],
		[
			"a package that is not in the catalog",
			"renovate.json",
			'"cspell"',
			'"no-such-package"',
			"no-such-package is not in the catalog",
		],
		["a range in the catalog", "pnpm-workspace.yaml", "  knip: ", "  knip: ^", "Use an exact version"],
		["an owner of nothing", ".github/CODEOWNERS", "/.github/", "/.nowhere/", "/.nowhere/ does not exist"],
	])("are rejected with %s", (_name, file, find, replacement, problem) => {
		expect(plant(file, find, replacement).join("\n")).toContain(problem);
	});
});
