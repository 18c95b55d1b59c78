import { randomInt } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { Part, RunOptions } from "./part.ts";
import { PARTS } from "./parts.ts";
import { writeResult } from "./results.ts";
import { writeIsolationDocs } from "./write-docs.ts";

const help = `Attacks the running application and reports what crossed a tenant boundary.

  pnpm isolation                       all parts in their short form; CI uses a fixed seed
  pnpm isolation --full --record       all parts in full; records the results and writes docs/isolation.md

  pnpm isolation --operations 1000000  only the model, half of it with Redis and half without
  pnpm isolation --mutants             removes one defense at a time and checks that it is caught
  pnpm isolation --part statements     removes one check or throw at a time; keeps what it found, and goes on with --unrecorded
  pnpm isolation --part NAME           one of ${PARTS.map(({ name }) => name).join(", ")}; may be repeated

  --seed N        the same seed, the same attacks; a failure prints it
  --tenants N     number of tenants in the model (default 50)
  --redis, --no-redis   run the model only with or only without Redis
  --only ID       only this mutant or statement; may be repeated. The recorded outcomes of the others are kept
  --unrecorded    only the mutants that have no recorded outcome, or the statements that no test is known to notice
  --under FOLDER  only the statements in this folder of the sources; may be repeated
  --store NAME, --round N   repeats one round of the part rights on one store, with every request
  --size N        the number of operations, mutants, kills, restarts, requests or samples, instead of the part's default;
                  for the statements, the minutes
  --full          the full number for all selected parts
  --results FILE  writes the outcome of each part as JSON
  --record        records the result in proof/isolation/results and writes docs/isolation.md`;

const { values: flags } = parseArgs({
	// some package managers hand the separator on
	args: process.argv.slice(2).filter((argument) => argument !== "--"),
	allowNegative: true,
	options: {
		operations: { type: "string" },
		mutants: { type: "boolean", default: false },
		part: { type: "string", multiple: true, default: [] },
		seed: { type: "string" },
		tenants: { type: "string", default: "50" },
		redis: { type: "boolean" },
		only: { type: "string", multiple: true },
		unrecorded: { type: "boolean", default: false },
		store: { type: "string" },
		round: { type: "string", default: "0" },
		under: { type: "string", multiple: true, default: [] },
		size: { type: "string" },
		full: { type: "boolean", default: false },
		results: { type: "string" },
		record: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});

const wholeNumber = (name: string, text: string): number => {
	const number = Number(text);
	if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} takes a whole number, not ${text}`);
	return number;
};

const chosenParts = (): Part[] => {
	const names = [...flags.part, ...(flags.operations ? ["model"] : []), ...(flags.mutants ? ["mutants"] : [])];
	const unknown = names.find((name) => !PARTS.some((part) => part.name === name));
	if (unknown)
		throw new Error(`There is no part "${unknown}"; take one of ${PARTS.map(({ name }) => name).join(", ")}`);
	return names.length > 0 ? PARTS.filter(({ name }) => names.includes(name)) : PARTS.filter(({ short }) => short > 0);
};

const sizeOf = (part: Part): number => {
	const asked = part.name === "model" && flags.operations ? flags.operations : flags.size;
	if (asked !== undefined) return wholeNumber("size", asked);
	// asked for by name, a part that CI leaves out runs whole
	return flags.full || part.short === 0 ? part.full : part.short;
};

const runPart = async (part: Part): Promise<boolean> => {
	const options: RunOptions = {
		size: sizeOf(part),
		seed: flags.seed === undefined ? (part.seed ?? randomInt(2 ** 31)) : wholeNumber("seed", flags.seed),
		tenants: wholeNumber("tenants", flags.tenants),
		redis: flags.redis,
		only: flags.only,
		replay: flags.store === undefined ? undefined : { store: flags.store, round: wholeNumber("round", flags.round) },
		unrecorded: flags.unrecorded,
		under: flags.under,
		byTime: flags.full,
		log: (line) => console.error(`  ${line}`),
	};
	console.log(`\n${part.name}: ${part.sentence} (${options.size}, seed ${options.seed})`);
	const started = performance.now();
	const { result, wrong, lines } = await part.run(options);
	const seconds = Math.round((performance.now() - started) / 100) / 10;
	for (const line of lines) console.log(`  ${line}`);
	for (const line of wrong) console.log(`  WRONG: ${line}`);
	console.log(`  ${wrong.length === 0 ? "held" : `FAILED in ${wrong.length} ways`} after ${seconds} s`);
	if (flags.record) {
		await writeResult(part.name, { size: options.size, seconds, wrong, lines, result });
		await writeIsolationDocs();
	}
	return wrong.length === 0;
};

const main = async (): Promise<void> => {
	if (flags.help) return console.log(help);
	const ends: { name: string; outcome: "passed" | "failed" }[] = [];
	for (const part of chosenParts())
		ends.push({ name: part.name, outcome: (await runPart(part)) ? "passed" : "failed" });
	if (flags.results) await writeFile(flags.results, JSON.stringify(ends));
	const failed = ends.filter(({ outcome }) => outcome === "failed").map(({ name }) => name);
	if (failed.length > 0) {
		console.log(`\nNot held: ${failed.join(", ")}`);
		process.exitCode = 1;
	}
};

await main();
