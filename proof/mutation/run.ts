import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Run } from "test-kit/results/recorded-run";
import { startTestServers } from "test-kit/servers/test-servers";
import { ISOLATED, SHARED, SLOW, SWEEPS } from "../../packages/tenants/vitest.files.ts";
import { makeCheckout } from "./checkout.ts";
import { hashOf, keep, readKept, type STATES } from "./outcomes.ts";
import { readResult, writeResult } from "./results.ts";
import { runStryker, SOURCE } from "./run-stryker.ts";
import { nameOf } from "./stryker/job.ts";
import {
	describe,
	type FileSummary,
	type MutationSummary,
	outcomeOf,
	summarizeFile,
	unexplained,
	withKilled,
	withReasons,
} from "./summary.ts";

const help = `Changes one operator, condition or branch of the sources at a time, and checks that a test fails.

  pnpm mutation --record            every file of src/scope that has no outcome yet, and goes on where it was interrupted
  pnpm mutation scope/adapter.ts    these files only; may be repeated
  pnpm mutation --left              again, but only the mutants that no test noticed: after new tests

  --under FOLDER   the folder of the sources (default scope)
  --tests PLACE    a folder or a file of the tests; may be repeated (default: the folder of the same name). Take quick ones
                   first, and then others, or "**" for all, with --left
  --seconds N      how many seconds of tests a mutant faces, the nearest and fastest first (default 8)
  --minutes N      starts no other file after that time
  --record         records the outcomes in proof/mutation/results`;

const { values: flags, positionals: chosen } = parseArgs({
	// some package managers hand the separator on
	args: process.argv.slice(2).filter((argument) => argument !== "--"),
	allowPositionals: true,
	options: {
		under: { type: "string", default: "scope" },
		tests: { type: "string", multiple: true, default: [] },
		left: { type: "boolean", default: false },
		seconds: { type: "string", default: "8" },
		minutes: { type: "string", default: "600" },
		record: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});

/** The tests run once for each group, to see what they reach. An interrupted group begins again with what no test has killed. */
const FILES_AT_ONCE = 25;

const STATE_OF: Record<string, (typeof STATES)[number]> = {
	Killed: "killed",
	Timeout: "killed",
	RuntimeError: "killed",
	Survived: "survived",
	NoCoverage: "not reached",
	Ignored: "static",
};

const log = (line: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);

const sourcesIn = (root: string): string[] =>
	readdirSync(join(root, SOURCE, flags.under), { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".ts"))
		.sort()
		.map((file) => join(flags.under, file));

/** The test files in test/ that can say something: these, or those of these folders. */
const testFiles = (given: string[]): string[] => {
	const find = (patterns: string[]): string[] => globSync(patterns, { cwd: SHARED.root }).sort();
	const left = new Set(find([...ISOLATED, ...SLOW, ...SWEEPS]));
	const patterns = given.map((one) => (one.endsWith(".ts") ? `test/${one}` : `test/${one}/**/*.test.ts`));
	return find(patterns).filter((file) => !left.has(file));
};

/** Runs what is not decided yet of some files, and keeps each outcome at once. */
const mutate = async (
	checkout: string,
	files: string[],
	tests: string[],
	before: FileSummary[] | null,
	finish: (file: string, hash: string) => void,
): Promise<void> => {
	const hashes = new Map(files.map((file) => [file, hashOf(readFileSync(join(checkout, SOURCE, file), "utf8"))]));
	const killed = [...hashes].flatMap(([file, hash]) =>
		[...readKept(file, hash).outcomes.values()]
			.filter(({ state }) => state === "killed")
			.map(({ key }) => nameOf(file, key)),
	);
	const only = before?.flatMap(unexplained).map(({ file, key }) => nameOf(file, key)) ?? null;
	await runStryker(checkout, files, {
		tests,
		most: Number(flags.seconds) * 1000,
		killed,
		only,
		log: ({ file, seen, isLast }) => {
			const hash = hashes.get(file);
			if (!hash) throw new Error(`Stryker mutates ${file}, which nobody asked for`);
			if (seen) {
				const state = STATE_OF[seen.status];
				if (!state) throw new Error(`Stryker says "${seen.status}" about ${seen.key} of ${file}`);
				keep({ file, hash, key: seen.key, state, tests: seen.tests, by: seen.by });
			}
			if (isLast) finish(file, hash);
		},
	});
};

const main = async (): Promise<void> => {
	if (flags.help) return console.log(help);
	const started = Date.now();
	const root = join(import.meta.dirname, "../..");
	const recorded = await readResult<Run<MutationSummary>>(flags.under);
	const summaries = new Map(recorded?.result.files.map((summary) => [summary.file, summary]));
	const textOf = (file: string): string => readFileSync(join(root, SOURCE, file), "utf8");
	/** What is known of a file with its present text. */
	const known = (file: string): FileSummary | undefined => {
		const [text, summary] = [textOf(file), summaries.get(file)];
		const kept = readKept(file, hashOf(text));
		if (summary?.hash === hashOf(text)) return withKilled(summary, kept.outcomes);
		return kept.isComplete ? summarizeFile(file, hashOf(text), text, kept.outcomes) : undefined;
	};
	const all = sourcesIn(root);
	const asked = (chosen.length > 0 ? chosen : all).filter((file) => {
		const summary = known(file);
		return flags.left ? summary && unexplained(summary).length > 0 : !summary;
	});
	if (asked.length > 0) {
		const checkout = makeCheckout();
		const stopServers = await startTestServers();
		try {
			const tests = testFiles(flags.tests.length > 0 ? flags.tests : [flags.under]);
			for (let at = 0; at < asked.length; at += FILES_AT_ONCE) {
				if (Date.now() - started > Number(flags.minutes) * 60_000) break;
				const files = asked.slice(at, at + FILES_AT_ONCE);
				log(`${files.length} of ${asked.length - at} files with ${tests.length} test files, from ${files[0]}`);
				const before = flags.left ? files.flatMap((file) => known(file) ?? []) : null;
				await mutate(checkout, files, tests, before, (file, hash) => {
					keep({ file, hash, complete: true });
					const summary = known(file);
					if (summary) log(`${file}: ${summary.killed} killed, ${unexplained(summary).length} to look at`);
				});
			}
		} finally {
			await stopServers();
		}
	}
	const files = all.flatMap((file) => known(file) ?? []);
	const result: MutationSummary = { files: files.map(withReasons), notRun: all.length - files.length };
	const { wrong, lines } = outcomeOf(result);
	for (const mutant of files.flatMap(unexplained)) console.log(describe(mutant));
	for (const line of [...lines, ...wrong.map((line) => `WRONG: ${line}`)]) console.log(line);
	if (flags.record)
		await writeResult(flags.under, { seconds: Math.round((Date.now() - started) / 1000), wrong, lines, result });
	if (wrong.length > 0) process.exitCode = 1;
};

// so that what it started ends with it
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
await main();
