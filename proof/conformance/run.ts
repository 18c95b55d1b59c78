import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { startIdentityProvider } from "test-kit/identity-provider";
import { assertComplete } from "./catalogue.ts";
import { documentOf, type Run, tableOf, totalOf } from "./report.ts";
import { runChecks } from "./runner.ts";
import { settings } from "./settings.ts";
import { SETUPS } from "./setups.ts";
import { foreignTarget, startTarget, type Target } from "./target.ts";

const help = `Checks the specification statement by statement.

  pnpm conformance                          all stores, callers and options; writes docs/conformance.md
  pnpm conformance --only sqlite            one of ${Object.keys(SETUPS).join(", ")}
  pnpm conformance --url http://host/api/auth --management-key KEY

  --check ID                    one statement only (may be repeated)
  --parallel N                  checks at a time (default 8)
  --results FILE                writes the outcome of each statement as JSON

For a deployment (preferably without rate limits: the suite waits when asked to, but sends about 2,000 requests):
  --global-provider gitlab=ID   a provider that it configures globally, and its client id
  --variant resolver=URL        a second deployment with other options (see Variant in check.ts); may be repeated
  --loopback-provider           it may call providers on loopback: completes OAuth flows at one that this run starts
  --throw-away                  it ends with the run, so the tenants of the run are not deleted
  CONFORMANCE_DATABASE_URL, CONFORMANCE_AUTH_SECRET   to read stored data`;

const { values: flags } = parseArgs({
	// some package managers pass the separator on
	args: process.argv.slice(2).filter((argument) => argument !== "--"),
	options: {
		only: { type: "string" },
		url: { type: "string" },
		"management-key": { type: "string" },
		"global-provider": { type: "string" },
		variant: { type: "string", multiple: true, default: [] },
		"loopback-provider": { type: "boolean", default: false },
		"throw-away": { type: "boolean", default: false },
		check: { type: "string", multiple: true, default: [] },
		parallel: { type: "string", default: "8" },
		results: { type: "string" },
		help: { type: "boolean", default: false },
	},
});

const pair = (text: string): [string, string] => {
	const at = text.indexOf("=");
	if (at < 1) throw new Error(`Use the form name=value instead of ${text}`);
	return [text.slice(0, at), text.slice(at + 1)];
};

/** Runs all checks against one target and always closes it. */
const runTarget = async (labels: Pick<Run, "name" | "caller" | "options">, target: Target): Promise<Run> => {
	const { name } = labels;
	console.log(`\n${name}: ${target.version}`);
	const started = performance.now();
	try {
		const results = await runChecks(name, target.world, { only: flags.check, parallel: Number(flags.parallel) });
		return { ...labels, version: target.version, results, seconds: (performance.now() - started) / 1000 };
	} finally {
		await target.end();
	}
};

const runDeployment = async (url: string): Promise<Run[]> => {
	const managementKey = flags["management-key"];
	if (!managementKey) throw new Error("--url requires --management-key");
	const idp = flags["loopback-provider"] ? await startIdentityProvider() : undefined;
	const [id, clientId] = flags["global-provider"] ? pair(flags["global-provider"]) : [];
	const target = foreignTarget({
		url,
		managementKey,
		variants: Object.fromEntries(flags.variant.map(pair)),
		globalProvider: id && clientId ? { id, clientId, isPlayed: false } : undefined,
		databaseURL: process.env.CONFORMANCE_DATABASE_URL,
		secret: process.env.CONFORMANCE_AUTH_SECRET,
		isThrownAway: flags["throw-away"],
		idp,
	});
	try {
		return [await runTarget({ name: "deployment", caller: "HTTP", options: "its own" }, target)];
	} finally {
		await idp?.close();
	}
};

const runLocally = async (names: string[]): Promise<Run[]> => {
	const idp = await startIdentityProvider();
	const runs: Run[] = [];
	try {
		for (const name of names) {
			const setup = SETUPS[name] ?? assert.fail();
			const options = settings[setup.setting].says;
			runs.push(await runTarget({ name, caller: setup.caller, options }, await startTarget(setup, idp)));
		}
	} finally {
		await idp.close();
	}
	return runs;
};

const chosenSetups = (): string[] => {
	const names = Object.keys(SETUPS);
	if (!flags.only) return names;
	if (!names.includes(flags.only)) throw new Error(`--only takes one of ${names.join(", ")}`);
	return [flags.only];
};

const main = async () => {
	if (flags.help) return console.log(help);
	assertComplete();
	const runs = flags.url ? await runDeployment(flags.url) : await runLocally(chosenSetups());
	const isWhole = !flags.url && !flags.only && flags.check.length === 0;
	if (isWhole) await writeFile(new URL("../../docs/conformance.md", import.meta.url), await documentOf(runs));
	if (flags.url) console.log(`\n${tableOf(runs)}`);
	const ends = runs.flatMap(({ name, results }) => [...results].map(([id, result]) => ({ name, id, ...result })));
	if (flags.results) await writeFile(flags.results, JSON.stringify(ends));
	const total = totalOf(runs);
	const skipped = total.notObservable > 0 ? `, ${total.notObservable} skipped` : "";
	console.log(`\n${total.passed} passed, ${total.deviates} deviate on purpose, ${total.failed} failed${skipped}`);
	process.exitCode = total.failed > 0 ? 1 : 0;
};

await main();
