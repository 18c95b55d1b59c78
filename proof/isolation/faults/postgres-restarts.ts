import { setTimeout as wait } from "node:timers/promises";
import { Pool } from "pg";
import { findHalfMade } from "test-kit/load/invariants";
import { createLedger } from "test-kit/load/ledger";
import { startLoad } from "test-kit/load/load";
import { type Judged, measureRecovery, type Spread, spread, untilAllSucceed } from "test-kit/load/recovery";
import { seeded } from "test-kit/load/seeded";
import { findLost } from "test-kit/load/settle";
import { newTenant, Visitor } from "test-kit/load/visitor";
import { ENDINGS, type PostgresServer, startPostgres } from "test-kit/servers/postgres-server";
import { OWN_SOURCE, type RunningApp, startApp } from "../app/start-app.ts";

export type RestartsOptions = Judged & { restarts: number; seed: number; log: (line: string) => void; source?: string };

export type RestartsResult = {
	seed: number;
	restarts: number;
	acknowledged: { people: number; signOuts: number };
	answers: Record<string, number>;
	slowestAnswerMs: number;
	/** from the moment the server accepts connections */
	recoveryMs: { firstSuccess: Spread; allWorkers: Spread };
	violations: string[];
};

const WORKERS = 8;

/** Stops PostgreSQL in three ways and restarts it while users sign up, in and out. */
export const runPostgresRestarts = async ({
	restarts,
	seed,
	byTime,
	log,
	source = OWN_SOURCE,
}: RestartsOptions): Promise<RestartsResult> => {
	const chance = seeded(seed);
	const ledger = createLedger();
	const recoveries: { first: number; all: number }[] = [];
	let postgres: PostgresServer | null = null;
	let app: RunningApp | null = null;
	let endLoad = async (): Promise<void> => {};
	try {
		const server = await startPostgres();
		postgres = server;
		const running = await startApp({ databaseURL: postgres.url, source, hashing: "cheap" });
		app = running;
		const origin = () => running.origin;
		const operator = new Visitor(origin);
		const tenants = [await newTenant(operator, "restart-a"), await newTenant(operator, "restart-b")];
		endLoad = startLoad({ workers: WORKERS, origin, tenants, people: "p", ledger });
		await untilAllSucceed(ledger, WORKERS);

		for (let restart = 0; restart < restarts; restart += 1) {
			await wait(chance.whole(200, 1_200));
			const ending = ENDINGS[restart % ENDINGS.length] ?? "fast";
			const strike = async (): Promise<void> => {
				await server.end(ending);
				await wait(chance.whole(50, 600));
				await server.start();
			};
			await strike();
			const recovery = await measureRecovery(ledger, WORKERS, strike, { byTime });
			recoveries.push(recovery);
			log(
				`restart ${restart + 1} (${ending}): first success after ${recovery.first} ms, all after ${recovery.all} ms; ${ledger.people.length} people, ${ledger.violations().length} kinds of violation`,
			);
		}
		await endLoad();
		const duringFaults = { ...ledger.answers };
		const complaints = await findLost(ledger, origin);
		const pool = new Pool({ connectionString: postgres.url, max: 1 });
		try {
			complaints.push(...(await findHalfMade(async (sql, values) => (await pool.query(sql, values)).rows)));
		} finally {
			await pool.end();
		}
		const unhandled = await running.call("unhandled");
		return {
			seed,
			restarts: recoveries.length,
			acknowledged: { people: ledger.people.length, signOuts: ledger.revoked.length },
			answers: duringFaults,
			slowestAnswerMs: ledger.slowest(),
			recoveryMs: {
				firstSuccess: spread(recoveries.map(({ first }) => first)),
				allWorkers: spread(recoveries.map(({ all }) => all)),
			},
			violations: [...ledger.violations(), ...complaints, ...new Set(unhandled.map((text) => `unhandled: ${text}`))],
		};
	} finally {
		await endLoad();
		await app?.kill();
		await postgres?.close();
	}
};
