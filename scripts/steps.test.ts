import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "steps-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (lines: string): string => {
	const file = join(folder, "script");
	writeFileSync(file, `cd ${folder}\n. ${ROOT}/.ci/steps.sh\n${lines}\nrun_steps "$@"\n`);
	return file;
};

const run = (lines: string, ...names: string[]) => {
	const { status, stdout, stderr } = spawnSync("bash", [write(lines), ...names], { encoding: "utf8" });
	return { status, stdout, stderr };
};

const THREE = "setup tool eval 'export TOOL=ready'\nstep a eval 'echo $TOOL a'\nstep b echo b\nstep c echo c";

describe("steps", () => {
	it("run in order, after the setup and in its environment", () => {
		const { status, stdout } = run(THREE);
		expect(status).toBe(0);
		expect(stdout).toMatch(/==> tool\n.*==> a\nready a\n.*==> b\nb\n.*==> c\nc\n.*everything passed/s);
	});

	it("run selectively by name, with the setup and in the script's order", () => {
		const { stdout } = run(THREE, "c", "a");
		expect(stdout).toMatch(/==> tool\n.*ready a\n.*==> c\nc\n/s);
		expect(stdout).not.toContain("==> b");
	});

	it("are listed without running anything", () => {
		expect(run(THREE, "--list")).toEqual({ status: 0, stdout: "a\nb\nc\n", stderr: "" });
	});

	it("fail before anything runs if a name is unknown, and list the known names", () => {
		expect(run(THREE, "a", "nope")).toEqual({
			status: 2,
			stdout: "",
			stderr: "There is no step nope. Use --list, or names of these: a b c\n",
		});
	});

	it("stop at the first failure, inside of functions too", () => {
		const { status, stdout, stderr } = run("broken() { false; echo too far; }\nstep a broken\nstep b echo b");
		expect(status).toBe(1);
		expect(stdout).not.toContain("too far");
		expect(stdout).toMatch(/summary\n +a +FAILED +\d+ s +\d+ s of CPU\n +b +not run/);
		expect(stderr).toContain("==> FAILED after");
	});

	it("fail if the setup fails", () => {
		const { status, stdout } = run("broken() { false; echo too far; }\nsetup tool broken\nstep a echo a");
		expect(status).toBe(1);
		expect(stdout).not.toContain("too far");
		expect(stdout).toMatch(/summary\n +tool +FAILED +\d+ s\n +a +not run/);
	});

	it("do not run a set-up that is not needed", () => {
		const { stdout } = run(`is_needed() { [[ "$1" != tool ]]; }\n${THREE}`);
		expect(stdout).not.toContain("==> tool");
		expect(stdout).toMatch(/summary\n +tool +not needed/);
	});

	it("show the end of a failed one again, last", () => {
		const lines = "step a eval 'seq 1000; false'\nalso b eval 'sleep 0.2; seq 2000 3000'";
		const { stdout } = run(lines, "a", "b");
		const end = stdout.slice(stdout.lastIndexOf("\n3000\n"));
		expect(end).toMatch(/==> a FAILED, and ended with\n941\n942\n.*\n1000\n\n==> summary\n/s);
	});

	it("report how long each took", () => {
		expect(run("step a sleep 1\nstep b true").stdout).toMatch(
			/summary\n +a +passed +[1-9]\d* s +\d+ s of CPU\n +b +passed +\d+ s +\d+ s of CPU\n/,
		);
	});
});

describe("concurrent steps", () => {
	// each waits until the other has started, and then writes in turn with it
	const dance = `dance() { touch "$1"; until [[ -e "$2" ]]; do sleep 0.01; done; for n in 1 2 3; do echo "$1$n"; sleep 0.02; done; }`;

	it("overlap, and their output does not mix", () => {
		const { status, stdout } = run(`${dance}\nstep a dance a b\nalso b dance b a`);
		expect(status).toBe(0);
		expect(stdout).toContain("==> a\na1\na2\na3\n==> a: passed");
		expect(stdout).toContain("==> b\nb1\nb2\nb3\n==> b: passed");
	});

	it("all finish when one fails, and the next does not start", () => {
		const { status, stdout, stderr } = run("step a false\nalso b eval 'sleep 0.3; echo b ran'\nstep c echo c ran");
		expect(status).toBe(1);
		expect(stdout).toContain("b ran");
		expect(stdout).not.toContain("c ran");
		expect(stderr).toMatch(/==> FAILED after \d+ s: a\n/);
	});

	it("wait in a queue, and start no more after a failure", () => {
		const { stdout } = run("step a false\nalso b eval 'sleep 0.3; echo b ran'\nalso c echo c ran\nalso d echo d ran");
		expect(stdout).toContain("b ran");
		expect(stdout).not.toMatch(/[cd] ran/);
		expect(stdout).toMatch(/ c +not run\s+d +not run/);
	});

	it("end when the script is interrupted", async () => {
		const script = write("step a eval 'echo $BASHPID >pid.new; mv pid.new pid; exec sleep 600'\nalso b sleep 600");
		const child = spawn("bash", [script], { stdio: "ignore" });
		await until(() => existsSync(join(folder, "pid")));
		const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
		expect(isRunning(pid)).toBe(true);
		child.kill("SIGTERM");
		expect(await new Promise((resolve) => child.on("exit", resolve))).toBe(143);
		await until(() => !isRunning(pid));
	});

	it("print the summary even if interrupted twice", async () => {
		// like timeout, which signals the script and then its process group; here the second signal comes while the step
		// ends
		const script = write(
			"step a eval 'trap \"kill -TERM $$; exit\" TERM; touch started; while :; do sleep 0.05; done'",
		);
		const child = spawn("bash", [script], { stdio: ["ignore", "pipe", "ignore"] });
		const told = child.stdout.toArray();
		await until(() => existsSync(join(folder, "started")));
		child.kill("SIGTERM");
		expect(await new Promise((resolve) => child.on("exit", resolve))).toBe(143);
		expect((await told).join("")).toMatch(/summary\n +a +interrupted/);
	});
});

const until = async (holds: () => boolean): Promise<void> => {
	while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
};

const isRunning = (pid: number): boolean => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

describe("steps that keep going", () => {
	const remembering = `keep_going=true
why_skipped() { [[ ! -e done-$1 ]] || echo "it passed before"; }
mark_done() { touch "done-$1"; }
step a eval 'echo a >>ran'
step b eval 'echo b >>ran; [[ -e fixed ]]'
step c eval 'echo c >>ran'`;

	it("run what has not passed yet", () => {
		expect(run(remembering).status).toBe(1);
		writeFileSync(join(folder, "fixed"), "");
		const { status, stdout } = run(remembering);
		expect(status).toBe(0);
		expect(stdout).toContain("==> a: skipped: it passed before\n");
		expect(stdout).toMatch(/summary\n +a +skipped +\n +b +passed .*\n +c +skipped/);
		expect(readFileSync(join(folder, "ran"), "utf8")).toBe("a\nb\nc\nb\n");
	});
});

describe(".ci/nightly", () => {
	it("has every part of the proofs", () => {
		const nightly = spawnSync("bash", [".ci/nightly", "--list"], { cwd: ROOT, encoding: "utf8" }).stdout.split("\n");
		const partsOf = (script: string) => {
			const { stdout } = spawnSync(process.execPath, [`proof/${script}/run.ts`, "--help"], {
				cwd: ROOT,
				encoding: "utf8",
			});
			return (/one of ([a-z, -]+);/.exec(stdout)?.[1] ?? "").split(", ");
		};
		const expected = [
			...partsOf("isolation").map((part) => `isolation-${part}`),
			...partsOf("service").map((part) => `server-${part}`),
			...partsOf("bench").map((part) => `bench-${part}`),
		];
		expect(expected.length).toBeGreaterThan(15);
		expect(expected.filter((name) => !nightly.includes(name))).toEqual([]);
	});
});
