import { createLedger } from "test-kit/load/ledger";
import { startLoad } from "test-kit/load/load";
import { type Spread, spread, untilAllSucceed } from "test-kit/load/recovery";
import { findLost } from "test-kit/load/settle";
import { newTenant, PASSWORD, Visitor } from "test-kit/load/visitor";
import type { Outcome } from "test-kit/results/outcome";
import { startPostgres } from "test-kit/servers/postgres-server";
import { startRedis } from "test-kit/servers/redis-server";
import { type Stack, startStack } from "test-kit/service/stack";
import type { RunOptions } from "./part.ts";
import { SERVICE_MAIN } from "./service-main.ts";

export type RollingResult = {
	restarts: number;
	requests: number;
	/** by request and response; in a rolling restart everything succeeds */
	answers: Record<string, number>;
	failed: number;
	stopMs: Spread;
	violations: string[];
};

const WORKERS = 4;
const READERS = 4;

/** Restarts two processes in turn, like a deployment, under load. No request may fail. */
export const runRollingRestart = async ({ full, log }: RunOptions): Promise<Outcome<RollingResult>> => {
	const ledger = createLedger();
	const postgres = await startPostgres();
	const redis = await startRedis({ persistent: true });
	let stack: Stack | null = null;
	let endLoad = async (): Promise<void> => {};
	let reading = true;
	const stops: number[] = [];
	const exits: (number | null)[] = [];
	try {
		stack = await startStack(SERVICE_MAIN, {
			DATABASE_URL: postgres.url,
			REDIS_URL: `redis://127.0.0.1:${redis.port}`,
			// the balancer checks four times a second and reacts after the fifth, so a stall of a second is harmless
			SHUTDOWN_DELAY: "4",
		});
		const { origin } = stack;
		const tenants = [];
		for (const slug of ["rolling-a", "rolling-b"]) tenants.push(await newTenant(new Visitor(() => origin), slug));
		endLoad = startLoad({ workers: WORKERS, origin: () => origin, tenants, people: "p", ledger });
		const reader = new Visitor(() => origin);
		await reader.send("/tenant/sign-up/email", {
			body: { tenantId: tenants[0], name: "R", email: "reader@example.com", password: PASSWORD },
		});
		const readers = Array.from({ length: READERS }, async (_, index) => {
			while (reading) {
				const answer = await reader.copy().send("/get-session");
				ledger.note(WORKERS + index, "get-session", answer, answer.status === 200 && answer.json !== null);
			}
		});
		await untilAllSucceed(ledger, WORKERS + READERS);
		for (let round = 1; round <= (full ? 10 : 2); round += 1) {
			for (const service of stack.services) {
				const began = performance.now();
				exits.push(await service.restart());
				stops.push(performance.now() - began);
				await stack.untilAllServe();
			}
			log(`round ${round}: both restarted, ${Object.values(ledger.answers).reduce((sum, n) => sum + n, 0)} requests`);
		}
		reading = false;
		await Promise.all(readers);
		await endLoad();
		const failures = Object.entries(ledger.answers).filter(([name]) => !name.endsWith(" 200"));
		const violations = [
			...failures.map(([name, count]) => `${count} × ${name}`),
			...exits.flatMap((code) => (code === 0 ? [] : [`a stopped process exited with ${code}`])),
			...(await findLost(ledger, () => origin)),
		];
		const requests = Object.values(ledger.answers).reduce((sum, count) => sum + count, 0);
		return {
			result: {
				restarts: exits.length,
				requests,
				answers: ledger.answers,
				failed: failures.reduce((sum, [, count]) => sum + count, 0),
				stopMs: spread(stops),
				violations,
			},
			wrong: violations,
			lines: [`${exits.length} restarts under load: ${requests} requests, ${failures.length} kinds of failure`],
		};
	} finally {
		reading = false;
		await endLoad();
		await stack?.close();
		await redis.close();
		await postgres.close();
	}
};
