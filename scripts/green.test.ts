import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GREEN } from "../.ci/inputs.ts";
import { inputsOf, keyOf, readTree } from "../.ci/keys.ts";

const ROOT = join(import.meta.dirname, "..");

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "green-"));
	for (const [path, text] of Object.entries(FILES)) write(path, text);
	for (const name of ["steps.sh", "green.sh", "plan.ts", "keys.ts", "inputs.ts"])
		cpSync(join(ROOT, ".ci", name), join(folder, ".ci", name));
	git("init", "--quiet");
	commit();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** `conformance` and `e2e` read the package, `e2e` its proof, too, and `installed` uses the build. */
const FILES = {
	[GREEN]: "{}\n",
	".gitignore": "dist/\nran\nfails-*\n",
	"docs/hosts.md": "Hosts",
	"docs/rotation.md": "Rotation",
	"packages/tenants/src/index.ts": "1",
	"packages/tenants/README.md": "Tenants",
	"proof/browser/journey.test.ts": "1",
	"pnpm-lock.yaml": "1",
};

const write = (path: string, text: string): void => {
	mkdirSync(join(folder, dirname(path)), { recursive: true });
	writeFileSync(join(folder, path), text);
};
const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
const commit = (): void => {
	git("add", "--all");
	git(
		"-c",
		"user.name=test",
		"-c",
		"user.email=test@localhost",
		"commit",
		"--quiet",
		"--allow-empty",
		"--message",
		"x",
	);
};

const keys = () => ({ conformance: keyOf("conformance", readTree(folder)), e2e: keyOf("e2e", readTree(folder)) });
/** The steps whose key a change changes. */
const changedBy = (change: () => void): string[] => {
	const before = keys();
	change();
	const after = keys();
	return (["conformance", "e2e"] as const).filter((name) => before[name] !== after[name]);
};

describe("the key of a step", () => {
	it("changes with an input, and with no other file", () => {
		expect(changedBy(() => write("packages/tenants/src/index.ts", "2"))).toEqual(["conformance", "e2e"]);
		expect(changedBy(() => write("proof/browser/journey.test.ts", "2"))).toEqual(["e2e"]);
		expect(changedBy(() => write("docs/rotation.md", "2"))).toEqual(["e2e"]);
		expect(changedBy(() => write("docs/hosts.md", "2"))).toEqual([]);
		expect(changedBy(() => write(GREEN, '{ "e2e": {} }\n'))).toEqual([]);
	});

	it("is that of the content, committed, staged or neither", () => {
		expect(changedBy(commit)).toEqual([]);
		write("proof/browser/journey.test.ts", "2");
		expect(changedBy(() => git("add", "--all"))).toEqual([]);
		expect(changedBy(commit)).toEqual([]);
		expect(changedBy(() => write("proof/browser/journey.test.ts", "1"))).toEqual(["e2e"]);
	});

	it("changes with files that are new, deleted, renamed or made executable", () => {
		const file = join(folder, "proof/browser/journey.test.ts");
		expect(changedBy(() => write("proof/browser/new.test.ts", "1"))).toEqual(["e2e"]);
		expect(changedBy(() => chmodSync(file, 0o755))).toEqual(["e2e"]);
		expect(changedBy(() => renameSync(file, join(folder, "proof/browser/other.test.ts")))).toEqual(["e2e"]);
		expect(changedBy(() => rmSync(join(folder, "proof/browser/other.test.ts")))).toEqual(["e2e"]);
	});

	it("does not change with ignored files", () => {
		expect(changedBy(() => write("packages/tenants/dist/index.js", "1"))).toEqual([]);
	});

	it("changes with the databases and handlers that tests are told to use", () => {
		const before = process.env.TEST_HANDLER;
		try {
			expect(changedBy(() => Object.assign(process.env, { TEST_HANDLER: "of-a-test" }))).toEqual([
				"conformance",
				"e2e",
			]);
		} finally {
			if (before === undefined) delete process.env.TEST_HANDLER;
			else process.env.TEST_HANDLER = before;
		}
	});

	it("differs between steps with the same inputs", () => {
		const tree = readTree(folder);
		expect(inputsOf("isolation-model", tree)).toEqual(inputsOf("isolation-faults", tree));
		expect(keyOf("isolation-model", tree)).not.toBe(keyOf("isolation-faults", tree));
	});

	it("is unknown for a step without inputs", () => {
		expect(() => keyOf("of-tomorrow", readTree(folder))).toThrow("Declare what it reads in .ci/inputs.ts");
	});
});

/** Each step writes its name to `ran`. A step fails if there is a file `fails-NAME`. */
const SCRIPT = `cd "$(dirname "$0")"
. .ci/steps.sh
. .ci/green.sh
read_options "$@"
setup sources look_at_sources
setup chromium echo "chromium is set up"
run() { echo "$1" >>ran; [[ ! -e "fails-$1" ]]; }
step build run build
step installed run installed
step e2e run e2e
step conformance run conformance
run_steps "\${names[@]}"
`;

/** Runs the steps in the repository, and says which of them ran. */
const run = (...args: string[]) => {
	rmSync(join(folder, "ran"), { force: true });
	const { status, stdout, stderr } = spawnSync("bash", [join(folder, "script"), ...args], { encoding: "utf8" });
	const ran = spawnSync("cat", ["ran"], { cwd: folder, encoding: "utf8" }).stdout.split("\n").filter(Boolean);
	return { status, stdout, stderr, ran };
};
const recorded = () => Object.keys(JSON.parse(readFileSync(join(folder, GREEN), "utf8")));
const ALL = ["build", "installed", "e2e", "conformance"];

describe(".ci/run", () => {
	beforeEach(() => {
		write("script", SCRIPT);
		commit();
	});

	it("skips a step whose inputs are those of a recorded run, and says so", () => {
		expect(run("--record")).toMatchObject({ status: 0, ran: ALL });
		expect(recorded()).toEqual(ALL);
		commit();
		const { status, stdout, ran } = run();
		expect([status, ran]).toEqual([0, []]);
		const today = new Date().toISOString().slice(0, 10);
		expect(stdout).toContain(`==> e2e: skipped: its inputs are those of the run of ${today}\n`);
		expect(stdout).toMatch(/summary\n(.*\n)+ +e2e +skipped/);
	});

	it("skips in a fresh clone of the commit", () => {
		run("--record");
		commit();
		const clone = mkdtempSync(join(tmpdir(), "clone-"));
		try {
			execFileSync("git", ["clone", "--quiet", folder, clone]);
			const { stdout } = spawnSync("bash", [join(clone, "script")], { encoding: "utf8" });
			expect(stdout).toContain("0 of 4 steps run");
		} finally {
			rmSync(clone, { recursive: true });
		}
	});

	it("runs a step whose inputs changed, committed or not", () => {
		run("--record");
		write("proof/browser/journey.test.ts", "2");
		expect(run().ran).toEqual(["e2e"]);
		commit();
		expect(run().ran).toEqual(["e2e"]);
		write("proof/browser/journey.test.ts", "1");
		expect(run().ran).toEqual([]);
	});

	it("runs a build that nothing changed for a step that uses it", () => {
		run("--record");
		write("packages/tenants/README.md", "2");
		const { stdout, ran } = run();
		expect(ran).toEqual(["build", "installed"]);
		expect(stdout).toContain("2 of 4 steps run: build installed\n");
	});

	it("runs everything with --all, and what is named; --changed skips of what is named", () => {
		run("--record");
		expect(run("--all").ran).toEqual(ALL);
		expect(run("e2e").ran).toEqual(["e2e"]);
		expect(run("--changed", "e2e").ran).toEqual([]);
		expect(run("--changed", "--all", "e2e").ran).toEqual(["e2e"]);
	});

	it("leaves out set-ups that no running step uses", () => {
		run("--record");
		write("packages/tenants/README.md", "2");
		expect(run().stdout).not.toContain("chromium is set up");
		write("proof/browser/journey.test.ts", "2");
		expect(run().stdout).toContain("chromium is set up");
	});

	it("records no step that fails, and forgets that it passed before", () => {
		expect(run("--record").status).toBe(0);
		commit();
		write("fails-e2e", "");
		expect(run("--record", "--all").status).toBe(1);
		// conformance did not run this time, and its inputs are those of the run before
		expect(recorded()).toEqual(["build", "installed", "conformance"]);
		rmSync(join(folder, "fails-e2e"));
		expect(run().ran).toEqual(["e2e"]);
	});

	it("records nothing that is not committed", () => {
		write("packages/tenants/src/index.ts", "2");
		const { status, stderr, ran } = run("--record");
		expect([status, ran]).toEqual([1, []]);
		expect(stderr).toContain("Not committed: packages/tenants/src/index.ts.");
		expect(recorded()).toEqual([]);
	});

	it("records no step whose inputs change while it runs", () => {
		write("script", SCRIPT.replace("step e2e run e2e", "step e2e eval 'echo 2 >proof/browser/journey.test.ts'"));
		commit();
		const { status, stdout } = run("--record");
		expect(status).toBe(0);
		expect(stdout).toContain("e2e is not recorded: its inputs changed during the run");
		expect(recorded()).toEqual(["build", "installed", "conformance"]);
	});

	it("records nothing without --record", () => {
		run();
		expect(recorded()).toEqual([]);
	});

	it("skips nothing if the record cannot be read", () => {
		run("--record");
		write(GREEN, "<<<<<<< ours\n");
		expect(run().ran).toEqual(ALL);
	});

	it("prints the inputs of a step", () => {
		const { stdout } = run("--inputs", "e2e");
		expect(stdout.split("\n")).toContain("docs/rotation.md");
		expect(stdout).not.toContain("docs/hosts.md");
	});
});
