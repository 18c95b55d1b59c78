import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ISOLATED, SHARED, SLOW, SWEEPS } from "../../packages/tenants/vitest.files.ts";
import { runStryker, SOURCE } from "./run-stryker.ts";

/** What a test file takes, and how many mutants of each source file its tests reach. */
export type Reach = { ms: number; sources: { [file: string]: number } };
/** By the path of the test file below packages/tenants. */
export type Reaches = { [test: string]: Reach };

/** Ignored by git. */
export const FOLDER = join(import.meta.dirname, ".mutants");
const KEPT = join(FOLDER, "reach.json");
const AT_ONCE = 12;

/** The test files of these folders of test/ that can say something. */
export const testFiles = (folders: string[]): string[] => {
	const find = (patterns: string[]): string[] => globSync(patterns, { cwd: SHARED.root }).sort();
	const left = new Set(find([...ISOLATED, ...SLOW, ...SWEEPS]));
	return find(folders.map((folder) => `test/${folder}/**/*.test.ts`)).filter((file) => !left.has(file));
};

/** Runs the unchanged test files to see which sources they reach. Kept until the test changes: it only says what to run. */
export const findReach = async (
	checkout: string,
	sources: string[],
	tests: string[],
	log: (line: string) => void,
): Promise<Reaches> => {
	mkdirSync(FOLDER, { recursive: true });
	const kept = existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, "utf8")) as Reaches) : {};
	const keyOf = (test: string): string => `${test} ${hashOf(join(SHARED.root, test))} ${sources.length}`;
	const missing = tests.filter((test) => !kept[keyOf(test)]);
	for (let at = 0; at < missing.length; at += AT_ONCE) {
		const now = missing.slice(at, at + AT_ONCE);
		log(`what ${now.length} of ${missing.length - at} test files reach, from ${now[0]}`);
		const found: Reaches = Object.fromEntries(now.map((test) => [test, { ms: 0, sources: {} }]));
		const times = await runStryker(checkout, sources, {
			reachOnly: true,
			tests: now,
			killed: [],
			only: null,
			log: ({ file, reachedBy }) => {
				const source = file.slice(file.indexOf(SOURCE) + SOURCE.length + 1);
				for (const test of new Set(reachedBy.map(fileOf))) {
					const reach = found[test];
					if (reach) reach.sources[source] = (reach.sources[source] ?? 0) + 1;
				}
			},
		});
		for (const [id, ms] of Object.entries(times)) {
			const reach = found[fileOf(id)];
			if (reach) reach.ms += Math.round(ms);
		}
		for (const [test, reach] of Object.entries(found)) kept[keyOf(test)] = reach;
		writeFileSync(KEPT, JSON.stringify(kept));
	}
	return Object.fromEntries(tests.map((test) => [test, kept[keyOf(test)] ?? { ms: 0, sources: {} }]));
};

/** The file of a test of Stryker: its path below packages/tenants. */
const fileOf = (id: string): string => id.slice(id.indexOf("test/"), id.indexOf("#"));

const hashOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 12);
