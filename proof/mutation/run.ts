import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Run } from "test-kit/results/recorded-run";
import { startTestServers } from "test-kit/servers/test-servers";
import { makeCheckout } from "./checkout.ts";
import { chooseTests } from "./choose-tests.ts";
import { whyOf } from "./explained.ts";
import { hashOf, keep, type Outcomes, readKept, type STATES } from "./outcomes.ts";
import { findReach, type Reaches, testFiles } from "./reach.ts";
import { readResult, writeResult } from "./results.ts";
import { runStryker, SOURCE } from "./run-stryker.ts";
import {
	describe,
	type FileSummary,
	type MutationSummary,
	outcomeOf,
	summarizeFile,
	unexplained,
	withKilled,
} from "./summary.ts";

const help = `Changes one operator, condition or branch of the sources at a time, and checks that a test fails.

  pnpm mutation --record            every file of src/scope that has no outcome yet, and goes on where it was interrupted
  pnpm mutation scope/adapter.ts    these files only; may be repeated
  pnpm mutation --left              again, but only the mutants that no test noticed: after new tests

  --under FOLDER   the folder of the sources (default scope)
  --tests FOLDER   the folders of the tests; may be repeated (default ${"the folder of the sources"})
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
		minutes: { type: "string", default: "600" },
		record: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});

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

/** Runs what is not decided yet of a file, in rounds, and keeps each outcome at once. */
const mutate = async (checkout: string, file: string, reaches: Reaches, before: FileSummary | undefined) => {
	const text = readFileSync(join(checkout, SOURCE, file), "utf8");
	const hash = hashOf(text);
	const only = before ? unexplained(before).map(({ key }) => key) : null;
	const outcomes = (): Outcomes => readKept(file, hash).outcomes;
	const rounds = chooseTests(file, reaches);
	for (const [at, tests] of rounds.entries()) {
		const decided = [...outcomes().values()];
		const killed = decided.filter(({ state }) => state === "killed").map(({ key }) => key);
		if (at > 0 && killed.length === decided.filter(({ state }) => state !== "static").length) break;
		log(`${file}: round ${at + 1} of ${rounds.length}, ${tests.length} test files`);
		await runStryker(checkout, [file], {
			reachOnly: false,
			tests,
			killed,
			only,
			log: ({ key, status, tests: ran, reason }) => {
				const state = STATE_OF[status];
				if (!state) throw new Error(`Stryker says "${status}" about ${key}`);
				keep({ file, hash, key, state, tests: ran, by: reason });
			},
		});
	}
	keep({ file, hash, complete: true });
	return text;
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
			const folders = flags.tests.length > 0 ? flags.tests : [flags.under];
			const reaches = await findReach(checkout, all, testFiles(folders), log);
			for (const file of asked) {
				if (Date.now() - started > Number(flags.minutes) * 60_000) break;
				await mutate(checkout, file, reaches, flags.left ? known(file) : undefined);
				const summary = known(file);
				if (summary) print(summary);
			}
		} finally {
			await stopServers();
		}
	}
	const files = all.flatMap((file) => known(file) ?? []);
	const result: MutationSummary = { files, notRun: all.length - files.length };
	const { wrong, lines } = outcomeOf(result);
	for (const line of [...lines, ...wrong.map((line) => `WRONG: ${line}`)]) console.log(line);
	if (flags.record)
		await writeResult(flags.under, { seconds: Math.round((Date.now() - started) / 1000), wrong, lines, result });
	if (wrong.length > 0) process.exitCode = 1;
};

const print = ({ file, killed, left }: FileSummary): void => {
	console.log(`${file}: ${killed} killed, ${left.length} left`);
	for (const mutant of left.filter((one) => whyOf(one) === null)) console.log(`  ${describe(mutant)}`);
};
await main();
