import { appendFileSync } from "node:fs";
import type { Reporter, TestCase, TestSuite } from "vitest/node";

/** One test, or a suite whose hooks failed. */
export type Logged = {
	statement: string;
	test: string;
	state: "running" | "passed" | "failed" | "skipped";
	error: string;
};

/** Writes each result at once: an interrupted run keeps what it saw. */
export const logResults = (path: string): Reporter => {
	const write = (entry: Logged): void => appendFileSync(path, `${JSON.stringify(entry)}\n`);
	return {
		onTestCaseReady: (test) => write({ ...nameOf(test), state: "running", error: "" }),
		onTestCaseResult: (test) => {
			const { state, errors } = test.result();
			write({
				...nameOf(test),
				state: state === "pending" ? "skipped" : state,
				error: firstLine(errors?.[0]?.message),
			});
		},
		onTestSuiteResult: (suite) => {
			const [error] = suite.errors();
			if (error) write({ ...nameOf(suite), state: "failed", error: firstLine(error.message) });
		},
	};
};

const nameOf = (task: TestCase | TestSuite): { statement: string; test: string } => {
	const [statement = "", ...names] = task.fullName.split(" > ");
	return { statement, test: names.join(" > ") };
};

const firstLine = (text = ""): string => text.split("\n", 1)[0]?.slice(0, 200) ?? "";
