import { setTimeout as wait } from "node:timers/promises";
import { createLedger } from "../../../isolation/faults/ledger.ts";
import { startLoad } from "../../../isolation/faults/load.ts";
import { startPostgres } from "../../../isolation/faults/postgres-server.ts";
import { untilAllSucceed } from "../../../isolation/faults/recovery.ts";
import { findLost } from "../../../isolation/faults/settle.ts";
import { newTenant, Visitor } from "../../../isolation/faults/visitor.ts";
import { type FailoverResult, type FailoverRound, measureFailover, report, tell } from "./failover.ts";
import type { Outcome, RunOptions } from "./part.ts";
import { startSentinelSet } from "./stage/sentinels.ts";
import { type Stack, startStack } from "./stage/stack.ts";

const WORKERS = 6;

/** Kills the Redis that takes writes, once for each set of Sentinels, while people sign up, in and out at two processes. */
export const runRedisFailover = async ({ full, log }: RunOptions): Promise<Outcome<FailoverResult>> => {
	const rounds: FailoverRound[] = [];
	const total: FailoverResult = {
		rounds,
		acknowledged: { people: 0, signOuts: 0 },
		answers: {},
		slowestAnswerMs: 0,
		violations: [],
	};
	const postgres = await startPostgres();
	try {
		for (let round = 1; round <= (full ? 5 : 1); round += 1) {
			const ledger = createLedger();
			const set = await startSentinelSet();
			let stack: Stack | null = null;
			let endLoad = async (): Promise<void> => {};
			try {
				stack = await startStack({
					DATABASE_URL: postgres.url,
					REDIS_SENTINELS: set.addresses.join(","),
					REDIS_SENTINEL_NAME: set.name,
					REDIS_WAIT_REPLICAS: "1",
				});
				const { origin } = stack;
				const tenants = [];
				for (const slug of [`redis-a-${round}`, `redis-b-${round}`])
					tenants.push(await newTenant(new Visitor(() => origin), slug));
				endLoad = startLoad({ workers: WORKERS, origin: () => origin, tenants, people: `p${round}`, ledger });
				await untilAllSucceed(ledger, WORKERS);
				await wait(3_000);
				const replacedAfterMs = await set.failOver();
				// writes are refused until the other replica follows the new master: nobody could promise to keep them
				rounds.push(await measureFailover(replacedAfterMs, { ledger, workers: WORKERS, origin, tenants }));
				log(`failover ${round}: ${tell(rounds.at(-1))}`);
				await wait(2_000);
				await endLoad();
				for (const [name, count] of Object.entries(ledger.answers))
					total.answers[name] = (total.answers[name] ?? 0) + count;
				total.slowestAnswerMs = Math.max(total.slowestAnswerMs, ledger.slowest());
				total.acknowledged.people += ledger.people.length;
				total.acknowledged.signOuts += ledger.revoked.length;
				total.violations.push(...ledger.violations(), ...(await findLost(ledger, () => origin)));
			} finally {
				await endLoad();
				await stack?.close();
				await set.close();
			}
		}
		return report(total);
	} finally {
		await postgres.close();
	}
};
