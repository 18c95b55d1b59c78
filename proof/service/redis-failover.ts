import { setTimeout as wait } from "node:timers/promises";
import { createLedger } from "test-kit/load/ledger";
import { startLoad } from "test-kit/load/load";
import { untilAllSucceed } from "test-kit/load/recovery";
import { findLost } from "test-kit/load/settle";
import { newTenant, Visitor } from "test-kit/load/visitor";
import type { Outcome } from "test-kit/results/outcome";
import { startPostgres } from "test-kit/servers/postgres-server";
import { startSentinelSet } from "test-kit/servers/sentinels";
import { type Stack, startStack } from "test-kit/service/stack";
import { type FailoverResult, type FailoverRound, measureFailover, report, tell } from "./failover.ts";
import type { RunOptions } from "./part.ts";
import { SERVICE_MAIN } from "./service-main.ts";

const WORKERS = 6;

/** Kills the Redis that accepts writes, while users sign up, in and out at two processes. */
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
				stack = await startStack(SERVICE_MAIN, {
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
				// writes are refused until the other replica follows the new master, because they could be lost
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
