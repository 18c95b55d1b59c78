import { spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";

/** The result of a test run. */
export type TestRun = {
	ran: number;
	/** the failed tests, with the first line of their error */
	failed: string[];
	/** files that could not be loaded */
	broken: string[];
	output: string;
};

type Report = {
	numPassedTests: number;
	numFailedTests: number;
	testResults: {
		name: string;
		status: string;
		message: string;
		assertionResults: { status: string; fullName: string; failureMessages?: string[] | null }[];
	}[];
};

/** Only ends a hanging run: the unchanged sources run the tests of all mutants at once. */
const MINUTES = 20;

/** Runs tests of a copy of the project and reads their report. */
export const runTests = async (
	root: string,
	{ files, named, workers, bail }: { files: string[]; named: string; workers: number; bail: boolean },
): Promise<TestRun> => {
	const report = join(root, "report.json");
	await rm(report, { force: true });
	const vitest = join(root, "node_modules/vitest/vitest.mjs");
	const given = ["run", ...files, "--testNamePattern", named, "--reporter=json", `--outputFile=${report}`];
	const bounds = [`--maxWorkers=${workers}`, "--typecheck.enabled=false", ...(bail ? ["--bail=1"] : [])];
	const output = await finish(root, [vitest, ...given, ...bounds]);
	const text = await readFile(report, "utf8").catch(() => null);
	if (text === null) throw new Error(`The tests in ${root} reported nothing:\n${output.slice(-2000)}`);
	const { testResults, numPassedTests, numFailedTests } = JSON.parse(text) as Report;
	const failed = testResults.flatMap(({ assertionResults }) =>
		assertionResults
			.filter(({ status }) => status === "failed")
			.map(({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages?.[0] ?? "")}`),
	);
	const broken = testResults
		.filter(
			({ status, assertionResults }) => status === "failed" && !assertionResults.some((one) => one.status === "failed"),
		)
		.map(({ name, message }) => `${name}: ${firstLine(message)}`);
	return { ran: numPassedTests + numFailedTests, failed, broken, output };
};

const firstLine = (text: string): string => text.split("\n", 1)[0]?.slice(0, 300) ?? "";

const finish = (cwd: string, given: string[]): Promise<string> =>
	new Promise((resolve, reject) => {
		const child = spawn(process.execPath, given, { cwd, stdio: ["ignore", "pipe", "pipe"] });
		const output: string[] = [];
		for (const stream of [child.stdout, child.stderr])
			stream.setEncoding("utf8").on("data", (text) => output.push(text));
		const late = setTimeout(() => child.kill("SIGKILL"), MINUTES * 60_000);
		child.once("error", reject);
		child.once("exit", () => {
			clearTimeout(late);
			resolve(output.join(""));
		});
	});
