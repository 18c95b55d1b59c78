import { readFile, writeFile } from "node:fs/promises";
import { findTenantLeaks } from "better-auth-tenants/testing";
import { createGuide, morePlugins } from "./b2b-guide.ts";
import { PLANTED_LEAKS } from "./planted-leaks.ts";
import { type KitRun, type KitRuns, kitResults, PAGE, RESULTS, withRecordedRun } from "./recorded-run.ts";

/**
 * Runs the isolation test on the B2B guide, and writes what it saw to the results and to docs/testing.md. With numbers, it runs
 * only these configurations, and 0 stands for the planted mistakes: `node kit/record.ts 1 0`.
 */
const wanted = process.argv.slice(2).map(Number);
const isWanted = (number: number): boolean => wanted.length === 0 || wanted.includes(number);

const CONFIGURATIONS: { configuration: string; guide: Parameters<typeof createGuide>[0] }[] = [
	{ configuration: "The guide, as pasted", guide: {} },
	{ configuration: "With second factors required of everyone", guide: { secondFactor: true } },
	{
		configuration: "And with SSO, SCIM, API keys, passkeys, organizations and an OAuth provider",
		guide: { secondFactor: true, plugins: morePlugins },
	},
];

/** Counts the lines that a run prints beside its own log. */
const countLines = () => {
	let lines = 0;
	const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
	for (const { stream } of streams) {
		stream.write = (chunk: string | Uint8Array) => {
			lines += String(chunk).split("\n").length - 1;
			return true;
		};
	}
	return () => {
		for (const { stream, write } of streams) stream.write = write;
		return lines;
	};
};

const before = await kitResults.read<KitRuns>(RESULTS);
const runs: KitRun[] = [];
for (const [index, { configuration, guide }] of CONFIGURATIONS.entries()) {
	const known = before?.runs.find((run) => run.configuration === configuration);
	if (!isWanted(index + 1)) {
		if (known) runs.push(known);
		continue;
	}
	const { auth, close } = await createGuide(guide);
	const [cpu, started] = [process.cpuUsage(), Date.now()];
	const endCount = countLines();
	const report = await findTenantLeaks(auth, { log: false }).finally(close);
	const linesPrinted = endCount();
	const { user, system } = process.cpuUsage(cpu);
	const run: KitRun = {
		configuration,
		endpoints: report.endpoints,
		reached: report.reached.length,
		calls: report.calls,
		leaks: report.leaks.length,
		cpuSeconds: (user + system) / 1e6,
		seconds: (Date.now() - started) / 1000,
		linesPrinted,
	};
	runs.push(run);
	console.log(JSON.stringify(run));
	for (const { endpoint, what } of report.leaks) console.log(`  ${endpoint} ${what}`);
}

const planted: KitRuns["planted"] = isWanted(0) ? [] : (before?.planted ?? []);
for (const { mistake, plant, also = [], endpoint } of isWanted(0) ? PLANTED_LEAKS : []) {
	const paths: string[] = [...also];
	const { auth, close } = await createGuide({
		secondFactor: true,
		plugins: (query) => {
			const plugin = plant(query);
			paths.push(...Object.values(plugin.endpoints ?? {}).flatMap(({ path }) => path ?? []));
			return [plugin];
		},
	});
	const { leaks } = await findTenantLeaks(auth, { only: paths, log: false }).finally(close);
	const found = leaks.find((leak) => leak.endpoint === endpoint);
	planted.push({ mistake, found: found ? `${found.endpoint} ${found.what}` : "nothing" });
	console.log(`${mistake}: ${planted.at(-1)?.found}`);
}

await kitResults.write(RESULTS, { runs, planted });
const recorded = await kitResults.read<KitRuns>(RESULTS);
if (recorded) await writeFile(PAGE, withRecordedRun(await readFile(PAGE, "utf8"), recorded));
const failed = runs.some(({ leaks, cpuSeconds, linesPrinted }) => leaks + linesPrinted > 0 || cpuSeconds > 60);
if (failed || planted.some(({ found }) => found === "nothing")) process.exitCode = 1;
