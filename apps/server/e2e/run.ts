import { parseArgs } from "node:util";
import { PARTS } from "./parts.ts";
import { writeResult } from "./results.ts";
import { writeScaleDocs } from "./scale-docs.ts";
import { writeServiceDocs } from "./write-docs.ts";

const help = `Starts PostgreSQL, PgBouncer, Redis, HAProxy, mail, an identity provider and the service, all on free ports of this
machine and in temporary folders, and tries it.

  pnpm --filter server e2e                  every part in its short form, as CI runs it
  pnpm --filter server e2e --part NAME      one of ${PARTS.map(({ name }) => name).join(", ")}; may be repeated

  --full      more rounds of everything
  --record    keeps the result in e2e/results and writes docs/service.md and docs/scale.md`;

const { values: flags } = parseArgs({
	// some package managers hand the separator on
	args: process.argv.slice(2).filter((argument) => argument !== "--"),
	options: {
		part: { type: "string", multiple: true, default: [] },
		full: { type: "boolean", default: false },
		record: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});

const chosen = PARTS.filter(({ name }) => flags.part.length === 0 || flags.part.includes(name));

const main = async (): Promise<void> => {
	if (flags.help) return console.log(help);
	const unknown = flags.part.find((name) => !PARTS.some((part) => part.name === name));
	if (unknown)
		throw new Error(`There is no part "${unknown}"; take one of ${PARTS.map(({ name }) => name).join(", ")}`);
	let held = true;
	for (const part of chosen) {
		console.log(`\n${part.name}: ${part.sentence}`);
		const started = performance.now();
		const { result, wrong, lines } = await part.run({ full: flags.full, log: (line) => console.error(`  ${line}`) });
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
