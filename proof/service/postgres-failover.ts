import { setTimeout as wait } from "node:timers/promises";
import { Pool } from "pg";
import { findHalfMade } from "test-kit/load/invariants";
import { createLedger } from "test-kit/load/ledger";
import { startLoad } from "test-kit/load/load";
import { untilAllSucceed } from "test-kit/load/recovery";
import { findLost } from "test-kit/load/settle";
import { newTenant, Visitor } from "test-kit/load/visitor";
import type { Outcome } from "test-kit/results/outcome";
import { type PostgresServer, startPostgres } from "test-kit/servers/postgres-server";
import { startRedis } from "test-kit/servers/redis-server";
import { type Stack, startStack } from "test-kit/service/stack";
import { type FailoverResult, type FailoverRound, measureFailover, report, tell } from "./failover.ts";
import type { RunOptions } from "./part.ts";
import { SERVICE_MAIN } from "./service-main.ts";

const WORKERS = 6;

/** Kills the primary and promotes its standby, while users sign up, in and out at two processes. */
export const runPostgresFailover = async ({ full, log }: RunOptions): Promise<Outcome<FailoverResult>> => {
	const ledger = createLedger();
	const rounds: FailoverRound[] = [];
	const servers: PostgresServer[] = [];
	const redis = await startRedis({ persistent: true });
	let stack: Stack | null = null;
	let endLoad = async (): Promise<void> => {};
	try {
		let primary = await startPostgres();
		servers.push(primary);
		let standby = await startPostgres({ follows: primary.url });
		servers.push(standby);
		await primary.waitForStandby();
		stack = await startStack(SERVICE_MAIN, {
			DATABASE_URL: `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
			DATABASE_CONNECT_TIMEOUT: "2",
			REDIS_URL: `redis://127.0.0.1:${redis.port}`,
		});
		const { origin } = stack;
		const tenants = [];
		for (const slug of ["failover-a", "failover-b"]) tenants.push(await newTenant(new Visitor(() => origin), slug));
		endLoad = startLoad({ workers: WORKERS, origin: () => origin, tenants, people: "p", ledger });
		await untilAllSucceed(ledger, WORKERS);

		for (let round = 1; round <= (full ? 5 : 1); round += 1) {
			await wait(2_000);
			const lost = primary;
			const next = standby;
			const began = performance.now();
			await lost.end("SIGKILL");
			await next.promote();
			rounds.push(
				await measureFailover(Math.round(performance.now() - began), { ledger, workers: WORKERS, origin, tenants }),
			);
			log(`failover ${round}: ${tell(rounds.at(-1))}`);
			// the lost server returns as the standby of the new primary
			await lost.close();
			primary = next;
			standby = await startPostgres({ follows: next.url, port: lost.port });
			servers.push(standby);
			await next.waitForStandby();
		}
		await wait(1_000);
		await endLoad();
		const answers = { ...ledger.answers };
		const lost = await findLost(ledger, () => origin);
		const pool = new Pool({ connectionString: primary.url, max: 1 });
		const halfMade = await findHalfMade(async (sql, values) => (await pool.query(sql, values)).rows);
		await pool.end();
		return report({
			rounds,
			acknowledged: { people: ledger.people.length, signOuts: ledger.revoked.length },
			answers,
			slowestAnswerMs: ledger.slowest(),
			violations: [...ledger.violations(), ...lost, ...halfMade],
		});
	} finally {
		await endLoad();
		await stack?.close();
		for (const server of servers) await server.close();
		await redis.close();
	}
};
