import { mkdir, rm, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { checkServer } from "./check.ts";
import { checkTurns } from "./check-turns.ts";
import { type Recorded, writeDocument } from "./document.ts";
import { createApplication } from "./install.ts";
import { NAMES, RUNTIMES, WORKERD } from "./runtimes.ts";
import { startProcess, startWorkerd } from "./start.ts";
import { engineVersion, workerdVersion } from "./versions.ts";

const help = `Checks the specification against servers in other runtimes. Needs a build and PostgreSQL.

  pnpm runtimes                 ${NAMES.join(", ")}
  pnpm runtimes bun deno        some of them
  pnpm runtimes --record        keeps the results, and writes docs/runtimes.md
  pnpm runtimes --docs          writes docs/runtimes.md from the kept results`;

const { values: flags, positionals } = parseArgs({
	args: process.argv.slice(2).filter((argument) => argument !== "--"),
	allowPositionals: true,
	options: {
		record: { type: "boolean", default: false },
		docs: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
	},
});

const runOne = async (name: string, folder: string): Promise<Recorded> => {
	const runtime = RUNTIMES.find((one) => one.name === name);
	const started = runtime ? await startProcess(runtime, folder) : await startWorkerd(folder);
	const since = performance.now();
	try {
		const statements = await checkServer(started);
		const turns = await checkTurns(started);
		return {
			name,
			title: runtime?.title ?? WORKERD.title,
			version: runtime?.version ?? (await workerdVersion()),
			engine: await engineVersion(),
			database: started.database,
			scrypt: started.scrypt,
			date: new Date().toISOString().slice(0, 10),
			seconds: Math.round((performance.now() - since) / 1000),
			passed: statements.filter(({ outcome }) => outcome === "passed").length,
			deviates: statements.filter(({ outcome }) => outcome === "deviates").length,
			failed: [...turns, ...reasons(statements, "failed")],
			notObservable: reasons(statements, "notObservable"),
		};
	} finally {
		await started.stop();
	}
};

const reasons = (statements: Awaited<ReturnType<typeof checkServer>>, wanted: string) =>
	statements
		.filter(({ outcome }) => outcome === wanted)
		.map(({ id, reason = "" }) => ({ id, reason: reason.split("\n")[0]?.slice(0, 300) ?? "" }));

const main = async (): Promise<void> => {
	if (flags.help) return console.log(help);
	if (flags.docs) return writeDocument();
	const unknown = positionals.filter((name) => !NAMES.includes(name));
	if (unknown.length > 0) throw new Error(`Unknown runtime ${unknown.join(", ")}. Use ${NAMES.join(", ")}.`);
	const folder = await createApplication();
	let failures = 0;
	try {
		for (const name of positionals.length > 0 ? positionals : NAMES) {
			const result = await runOne(name, folder).catch((error: unknown) => {
				console.error(`${name} could not be checked:`, error);
				return null;
			});
			if (!result) {
				failures += 1;
				continue;
			}
			failures += result.failed.length + (result.scrypt ? 0 : 1);
			const { passed, deviates, failed, notObservable, seconds } = result;
			console.log(
				`${name} ${result.version}: ${passed} passed, ${deviates} deviate on purpose, ${failed.length} failed, ${notObservable.length} not observable, ${seconds} s`,
			);
			for (const { id, reason } of failed) console.log(`  ${id}: ${reason}`);
			if (!flags.record) continue;
			const results = new URL("results/", import.meta.url);
			await mkdir(results, { recursive: true });
			await writeFile(new URL(`${name}.json`, results), `${JSON.stringify(result, null, "\t")}\n`);
		}
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
	if (flags.record) await writeDocument();
	process.exitCode = failures > 0 ? 1 : 0;
};

await main();
