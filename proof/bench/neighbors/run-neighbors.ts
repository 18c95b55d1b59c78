import { startProcess } from "test-kit/processes";
import type { Outcome } from "test-kit/results/outcome";
import { startPostgres } from "test-kit/servers/postgres-server";
import type { RunOptions } from "../part.ts";
import { POOL_SIZE } from "../server/settings.ts";
import { measureBurst, PROBES_PER_SECOND } from "./burst.ts";
import { chooseRates } from "./choose-rates.ts";
import { judgeNeighbors, showOutcomes } from "./judge.ts";
import { measureLimits } from "./limits.ts";
import type { NoiseProcess } from "./noise.ts";
import { openQuarter, type Quarter } from "./quarter.ts";
import type { NeighborsResult, VariantResult } from "./result.ts";
import { type Condition, startRounds } from "./under-load.ts";
import { settingsOf, variantsOf } from "./variants.ts";

const TENANTS = 10;
const PEOPLE = 3;
const CONDITIONS: Condition[] = [
	{ name: "every tenant alike", times: 1, goal: false },
	{ name: "one at ten times its share", times: 10, goal: true },
	{ name: "one at ten times all others", times: 10 * (TENANTS - 1), goal: false },
];
const PARALLEL = 1_000;

/** One tenant is loud. Measures the effect on the others, which sign in with real hashes and read their sessions. */
export const runNeighbors = async ({ full, log }: RunOptions): Promise<Outcome<NeighborsResult>> => {
	const { rounds, seconds, bursts } = full
		? { rounds: 6, seconds: 20, bursts: 4 }
		: { rounds: 2, seconds: 4, bursts: 1 };
	const postgres = await startPostgres();
	const noise = startProcess<NoiseProcess>(new URL("./noise.ts", import.meta.url));
	const quarters: Quarter[] = [];
	try {
		const limits = await measureLimits(postgres.url);
		const variants = variantsOf();
		for (const [index, variant] of variants.entries()) {
			const settings = settingsOf(variant, postgres.url);
			quarters.push(await openQuarter(settings, { tenants: TENANTS, people: PEOPLE, name: `quarter-${index}` }));
		}
		const rates = await chooseRates(firstOf(quarters), { tenants: TENANTS, full });
		const { each } = rates;
		log(`each tenant sends ${each.signIn} sign-ins and ${each.session} session checks a second`);

		const measured = quarters.map((quarter) => startRounds(quarter, CONDITIONS, { each, seconds, noise }));
		for (const quarter of quarters)
			await startRounds(quarter, CONDITIONS.slice(0, 1), { each, seconds: full ? 10 : 2, noise }).run(0);
		// one after the other in each round, so that other load affects all of them
		for (let number = 0; number < rounds; number += 1)
			for (const [index, { run }] of measured.entries())
				log(`round ${number + 1} of ${rounds}, ${variants[index]?.name}: ${await run(number)}`);

		const results: VariantResult[] = [];
		for (const [index, variant] of variants.entries())
			results.push({ ...variant, conditions: measured[index]?.read() ?? [], bursts: [] });
		for (let number = 0; number < bursts; number += 1) {
			for (const [index, quarter] of quarters.entries()) {
				const burst = await measureBurst(quarter, { parallel: PARALLEL, each, noise, seed: 5_000 + number });
				results[index]?.bursts.push(burst);
				log(
					`burst ${number + 1} of ${bursts}: ${showOutcomes(burst.outcomes)}, health ${burst.health.kept.mostMs} ms at most`,
				);
			}
		}
		const result: NeighborsResult = {
			tenants: TENANTS,
			rates,
			rounds,
			seconds,
			poolSize: POOL_SIZE,
			parallel: PARALLEL,
			probesPerSecond: PROBES_PER_SECOND,
			variants: results,
			limits,
		};
		return { result, ...judgeNeighbors(result) };
	} finally {
		for (const quarter of quarters) await quarter.close();
		await noise.kill();
		await postgres.close();
	}
};

const firstOf = ([first]: Quarter[]): Quarter => {
	if (!first) throw new Error("no server");
	return first;
};
