import type { Outcome } from "test-kit/results/outcome";
import { showCount } from "test-kit/results/show-count";
import { startPostgres } from "test-kit/servers/postgres-server";
import type { RunOptions } from "../part.ts";
import { startEngine } from "../stage/engine.ts";
import { round } from "../stage/statistics.ts";
import { type Filled, fillDatabase } from "./fill.ts";
import { type Figure, interleave } from "./interleave.ts";
import { operationsOn, type Stage } from "./operations.ts";
import { PAGE, PEOPLE_A_TENANT, SAMPLED_TENANTS, takeSample } from "./sample.ts";
import { sizesOf } from "./sizes.ts";

export type GrowthResult = {
	/** the maximum of the largest median relative to the smallest */
	goal: number;
	sizes: Filled[];
	sampled: { tenants: number; peopleATenant: number; tenantsOnAPage: number };
	/** of each operation at each size */
	requests: number;
	operations: {
		name: string;
		/** in the order of the sizes */
		figures: Figure[];
		/** the largest median of the goal's sizes over the smallest */
		ratio: number;
	}[];
};

const GOAL = 1.1;

/** Sends the same requests to databases with few and many tenants of skewed sizes. */
export const runGrowth = async ({ full, log }: RunOptions): Promise<Outcome<GrowthResult>> => {
	const rounds = full ? { rounds: 30, requests: 100, warmUp: 500 } : { rounds: 8, requests: 50, warmUp: 100 };
	const postgres = await startPostgres({
		settings: {
			synchronous_commit: "off",
			shared_buffers: "2GB",
			max_wal_size: "8GB",
			maintenance_work_mem: "1GB",
			// no replication and no autovacuum, which would affect one database while requests go to another
			wal_level: "minimal",
			max_wal_senders: "0",
			checkpoint_timeout: "1h",
			autovacuum: "off",
		},
	});
	const closing: (() => Promise<void>)[] = [];
	try {
		const sizes: Filled[] = [];
		const stages: Stage[] = [];
		for (const size of sizesOf(full)) {
			const settings = {
				postgres: postgres.url,
				database: `growth_${size.tenants}`,
				hashing: "cheap",
				poolSize: 4,
			} as const;
			const engine = await startEngine({ ...settings, tenants: {} });
			closing.push(engine.close);
			const filled = await fillDatabase(engine, size, log);
			const forgetful = await startEngine({ ...settings, tenants: { tenantCache: { maxAge: 0 } } });
			closing.push(forgetful.close);
			sizes.push(filled);
			stages.push({ engine, forgetful, sample: await takeSample(engine, filled) });
			log(`${describe(filled)}: filled after ${filled.seconds} s`);
		}
		const acts = stages.map(operationsOn);
		const operations: GrowthResult["operations"] = [];
		for (const name of acts[0]?.keys() ?? []) {
			const figures = await interleave(
				acts.flatMap((operations) => operations.get(name) ?? []),
				rounds,
			);
			const compared = figures.filter((_, at) => sizes[at]?.isOfGoal).map(({ medianMs }) => medianMs);
			operations.push({ name, figures, ratio: round(Math.max(...compared) / Math.min(...compared), 4) });
			log(`${name}: median ${figures.map(({ medianMs }) => medianMs.toFixed(2)).join(", ")} ms`);
		}
		return outcomeOf({
			goal: GOAL,
			sizes,
			sampled: { tenants: SAMPLED_TENANTS, peopleATenant: PEOPLE_A_TENANT, tenantsOnAPage: PAGE },
			requests: rounds.rounds * rounds.requests,
			operations,
		});
	} finally {
		for (const close of closing) await close();
		await postgres.close();
	}
};

const describe = ({ tenants, users, sessions }: Filled): string =>
	`${showCount(tenants)} tenants with ${showCount(users)} users and ${showCount(sessions)} sessions`;

const outcomeOf = (result: GrowthResult): Outcome<GrowthResult> => {
	const { sizes, operations, goal } = result;
	const missed = operations.filter(({ ratio }) => ratio > goal);
	const short = sizes.filter(({ isOfGoal, users, usersWanted }) => isOfGoal && users < usersWanted);
	const [worst] = operations.toSorted((a, b) => b.ratio - a.ratio);
	const beyond = sizes.flatMap((size, at) => {
		const overFirst = ({ figures }: GrowthResult["operations"][number]): number => figures[at]?.overFirst.median ?? 0;
		const [most] = operations.toSorted((a, b) => overFirst(b) - overFirst(a));
		if (size.isOfGoal || !most) return [];
		return `${describe(size)}: at most ${overFirst(most).toFixed(2)} of the smallest size's median (${most.name})`;
	});
	return {
		result,
		wrong: [
			...missed.map(
				({ name, ratio }) =>
					`${name}: the largest median over the smallest is ${ratio.toFixed(2)}, the goal is at most ${goal.toFixed(2)}`,
			),
			...short.map((size) => `only ${showCount(size.users)} of ${showCount(size.usersWanted)} users were filled in`),
		],
		lines: [
			...(worst ? [`Largest median over smallest: at most ${worst.ratio.toFixed(2)} (${worst.name})`] : []),
			...beyond,
		],
	};
};
