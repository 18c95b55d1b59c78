import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ISOLATED, SHARED, SLOW, SWEEPS } from "../../../packages/tenants/vitest.files.ts";
import { SOURCE } from "./find-statements.ts";
import { FOLDER, writePlan } from "./plan.ts";
import { runPlan } from "./run-plan.ts";
import type { Reach } from "./watch.ts";

/** What each test file reaches, by its path below packages/tenants. */
export type Reaches = Map<string, Reach>;

const KEPT = join(FOLDER, "reach");
const AT_ONCE = 40;
/** Slow tests that start no other process. */
const IN_PROCESS = ["test/rows/prisma.security.test.ts"];

/**
 * The test files that can say something: those of the folders first, slow ones last. Not those that start other processes, where
 * nothing is removed.
 */
export const testFiles = (folders: string[]): string[] => {
	const find = (patterns: string[]): string[] => globSync(patterns, { cwd: SHARED.root }).sort();
	const late = find([...SWEEPS, ...IN_PROCESS]);
	const left = new Set([...late, ...find([...ISOLATED, ...SLOW])]);
	const isOwn = (file: string): boolean => folders.some((folder) => file.startsWith(`test/${folder}/`));
	const files = find(["test/**/*.test.ts"]).filter((file) => !left.has(file));
	return [...files.filter(isOwn), ...files.filter((file) => !isOwn(file)), ...late];
};

/**
 * Runs the unchanged test files to see which statements each test reaches. Keeps the outcome until the test or the
 * sources change. Returns what it knows when the time is over.
 */
export const findReach = async (files: string[], until: number, log: (line: string) => void): Promise<Reaches> => {
	mkdirSync(KEPT, { recursive: true });
	const sources = hashOf(
		readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
			.filter((file) => file.endsWith(".ts"))
			.sort()
			.map((file) => readFileSync(join(SOURCE, file), "utf8")),
	);
	const keptAt = new Map(
		files.map((file) => {
			const hash = hashOf([sources, file, readFileSync(join(SHARED.root, file), "utf8")]);
			return [file, join(KEPT, `${hash}.json`)] as const;
		}),
	);
	const missing = files.filter((file) => !existsSync(keptAt.get(file) ?? ""));
	for (let at = 0; at < missing.length && Date.now() < until; at += AT_ONCE) {
		const now = missing.slice(at, at + AT_ONCE);
		log(`what ${now.length} of ${missing.length - at} test files reach, from ${now[0]}`);
		const plan = writePlan(
			now.map((file) => ({ file, without: null, result: keptAt.get(file) ?? "" })),
			null,
		);
		const { results } = await runPlan(plan, until);
		for (const { test, error } of results.filter(({ state }) => state === "failed"))
			log(`fails on the unchanged sources, so it can notice nothing: ${test}: ${error}`);
	}
	const known = [...keptAt].filter(([, path]) => existsSync(path));
	return new Map(known.map(([file, path]) => [file, JSON.parse(readFileSync(path, "utf8")) as Reach]));
};

const hashOf = (texts: string[]): string => createHash("sha256").update(texts.join("\0")).digest("hex").slice(0, 20);
