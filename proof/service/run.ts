import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Outcome } from "test-kit/results/outcome";
import { type Disturbance, watchDisturbance } from "./disturbance.ts";
import type { Part } from "./part.ts";
import { PARTS } from "./parts.ts";
import { writeResult } from "./results.ts";
import { writeScaleDocs } from "./scale-docs.ts";
import { writeServiceDocs } from "./write-docs.ts";

const help = `Starts PostgreSQL, PgBouncer, Redis, HAProxy, mail, an identity provider and the service, all on free ports of this
machine and in temporary directories, and tests it.

  pnpm --filter server e2e                  all parts in their short form, as in CI
  pnpm --filter server e2e --part NAME      one of ${PARTS.map(({ name }) => name).join(", ")}; may be repeated

  --full      more rounds of everything
  --ref REF   the earlier version that \`versions\` runs beside this one; else the newest tag, or a recorded commit
  --record    records the result in proof/service/results and writes docs/service.md and docs/scale.md`;

const { values: flags } = parseArgs({
	// some package managers hand the separator on
	args: process.argv.slice(2).filter((argument) => argument !== "--"),
	options: {
		part: { type: "string", multiple: true, default: [] },
		full: { type: "boolean", default: false },
		ref: { type: "string" },
		record: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});

const chosen = PARTS.filter(({ name, atNight }) =>
	flags.part.length > 0 ? flags.part.includes(name) : flags.full || !atNight,
);

/** Where the machine is kept from its work for as long, or as much, a time-out says nothing about the service. */
const isDisturbed = ({ standstillMs, stolen }: Disturbance): boolean => standstillMs >= 500 || stolen >= 0.05;
const ATTEMPTS = 4;
/** Milliseconds after a failed attempt; what disturbs a machine lasts for a while */
const REST = 15_000;

/** What goes wrong on a machine that is disturbed is tried again: a fault of the service's own is there each time. */
const runPart = async (part: Part): Promise<Outcome> => {
	for (let attempt = 1; ; attempt += 1) {
		const disturbance = watchDisturbance();
		const { outcome, thrown } = await part
			.run({ full: flags.full, ref: flags.ref, log: (line) => console.error(`  ${line}`) })
			.then((done) => ({ outcome: done, thrown: null }))
			.catch((error: unknown) => ({ outcome: null, thrown: error }));
		const seen = disturbance();
		if (outcome?.wrong.length === 0) return outcome;
		if (!isDisturbed(seen) || attempt === ATTEMPTS) {
			if (outcome) return outcome;
			throw thrown;
		}
		for (const line of outcome?.wrong ?? [String(thrown)]) console.log(`  ${line}`);
		console.log(
			`  once more: the machine stood still for ${seen.standstillMs} ms, and its host kept ${Math.round(seen.stolen * 100)} % of its time`,
		);
		await wait(attempt * REST);
	}
};

const main = async (): Promise<void> => {
	if (flags.help) return console.log(help);
	const unknown = flags.part.find((name) => !PARTS.some((part) => part.name === name));
	if (unknown)
		throw new Error(`There is no part "${unknown}"; take one of ${PARTS.map(({ name }) => name).join(", ")}`);
	let held = true;
	for (const part of chosen) {
		console.log(`\n${part.name}: ${part.sentence}`);
		const started = performance.now();
		const { result, wrong, lines } = await runPart(part);
		const seconds = Math.round((performance.now() - started) / 1000);
		for (const line of lines) console.log(`  ${line}`);
		for (const line of wrong) console.log(`  WRONG: ${line}`);
		console.log(`  ${wrong.length === 0 ? "held" : `FAILED in ${wrong.length} ways`} after ${seconds} s`);
		held &&= wrong.length === 0;
		if (flags.record) await writeResult(part.name, { full: flags.full, seconds, wrong, lines, result });
	}
	if (flags.record) {
		await writeServiceDocs();
		await writeScaleDocs();
	}
	process.exitCode = held ? 0 : 1;
};

await main();
