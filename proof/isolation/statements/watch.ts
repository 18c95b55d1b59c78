import { writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "vitest";

/** Which statements a test reached: true if a check threw. A throw always does. */
export type Reached = { [statement: string]: boolean };
export type Reach = {
	/** by a hook, or while the file loaded: for every test of the file */
	shared: Reached;
	tests: { [name: string]: { ms: number; reached: Reached } };
};

type Watch = {
	/** the statement that does not run now */
	removed: string | null;
	reached: Reached;
	runs: (statement: string) => boolean;
	threw: (statement: string) => void;
};

declare global {
	var watchStatements: Watch | undefined;
}

// files share a process
globalThis.watchStatements ??= {
	removed: null,
	reached: {},
	runs(statement) {
		this.reached[statement] ??= false;
		return this.removed !== statement;
	},
	threw(statement) {
		this.reached[statement] = true;
	},
};
const watch = globalThis.watchStatements;

/** Runs a test file without one statement, until a test fails. */
export const without = (statement: string, load: () => Promise<unknown>): void => {
	describe(statement, async () => {
		let isNoticed = false;
		beforeAll(() => {
			watch.removed = statement;
		});
		beforeEach(({ skip }) => skip(isNoticed, "already noticed"));
		afterEach(({ task }) => {
			isNoticed ||= task.result?.state === "fail";
		});
		afterAll(() => {
			watch.removed = null;
		});
		watch.removed = statement;
		await loadInto(load);
		watch.removed = null;
	});
};

/** Runs an unchanged test file and writes down which statements its tests reach. */
export const unchanged = (result: string, load: () => Promise<unknown>): void => {
	describe(UNCHANGED, async () => {
		const reach: Reach = { shared: {}, tests: {} };
		let outside: Reached = {};
		let began = 0;
		beforeEach(() => {
			outside = { ...outside, ...watch.reached };
			watch.reached = {};
			began = performance.now();
		});
		afterEach(({ task }) => {
			if (task.result?.state !== "fail")
				reach.tests[task.fullTestName.slice(UNCHANGED.length)] = {
					ms: Math.round(performance.now() - began),
					reached: watch.reached,
				};
			watch.reached = {};
		});
		afterAll(() => {
			writeFileSync(result, JSON.stringify({ ...reach, shared: { ...outside, ...watch.reached } }));
		});
		watch.reached = {};
		await loadInto(load);
	});
};

const UNCHANGED = "unchanged";

/** A file that does not load is a failed test. */
const loadInto = async (load: () => Promise<unknown>): Promise<void> => {
	try {
		await load();
	} catch (error) {
		it("loads", () => {
			throw error;
		});
	}
};
