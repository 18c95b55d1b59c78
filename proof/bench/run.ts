import { parseArgs } from "node:util";
import { PARTS } from "./parts.ts";
import { writeResult } from "./results.ts";
import { writePerformanceDocs } from "./write-docs.ts";

const names = PARTS.map(({ name }) => name).join(", ");

const help = `Measures the cost of tenants compared with Better Auth alone, and how it grows. Starts servers on free ports of this
machine and in temporary directories.

  pnpm bench                  all parts in their short form, a few minutes; writes proof/bench/results/*.json and
                              docs/performance.md with its plots, and the figures of docs/upstream
  pnpm bench --full           the sizes of the documents; a few hours, and about 30 GB of disk
  pnpm bench --part NAME      one of ${names}; may be repeated
  pnpm bench --guard          what CI runs: counts statements and allocated bytes without timing; writes nothing
  pnpm bench --profile FLOW   whose microseconds of CPU time a request of that flow takes; writes nothing

Missed goals are reported and recorded. Only the guard fails because of one.`;

const { values: flags } = parseArgs({
	// some package managers pass the separator on
	args: process.argv.slice(2).filter((argument) => argument !== "--"),
	options: {
		part: { type: "string", multiple: true, default: [] },
		full: { type: "boolean", default: false },
		guard: { type: "boolean", default: false },
		profile: { type: "string" },
		help: { type: "boolean", default: false },
	},
});

const chosen = PARTS.filter(
	({ name, guard, profile }) =>
		(flags.part.length === 0 || flags.part.includes(name)) &&
		(!flags.guard || guard) &&
		(flags.profile === undefined || profile),
);

const main = async (): Promise<void> => {
	if (flags.help) return console.log(help);
	const unknown = flags.part.find((name) => !PARTS.some((part) => part.name === name));
	if (unknown) throw new Error(`Unknown part "${unknown}". Choose from ${names}`);
	if (flags.profile !== undefined) {
		for (const { profile } of chosen) console.log((await profile?.(flags.profile))?.join("\n"));
		return;
	}
	let missed = 0;
	for (const part of chosen) {
		console.log(`\n${part.name}: ${part.sentence}`);
		const started = performance.now();
		const { full, guard } = flags;
		const options = { full, log: (line: string) => console.error(`  ${line}`) };
		const { result, wrong, lines } = await (guard && part.guard ? part.guard() : part.run(options));
		const seconds = Math.round((performance.now() - started) / 1000);
		for (const line of lines) console.log(`  ${line}`);
		for (const line of wrong) console.log(`  MISSED: ${line}`);
		console.log(`  ${wrong.length === 0 ? "held" : `missed ${wrong.length}`} after ${seconds} s`);
		missed += wrong.length;
		if (guard) continue;
		await writeResult(part.name, { full, seconds, wrong, lines, result });
		// after each part, so that an interrupted run keeps its results
		await writePerformanceDocs();
	}
	if (flags.guard && missed > 0) process.exitCode = 1;
};

await main();
