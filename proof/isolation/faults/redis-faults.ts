import { setTimeout as wait } from "node:timers/promises";
import { findHalfMade } from "test-kit/load/invariants";
import { createLedger } from "test-kit/load/ledger";
import { startLoad } from "test-kit/load/load";
import { type Judged, measureRecovery, untilAllSucceed } from "test-kit/load/recovery";
import { type Seeded, seeded } from "test-kit/load/seeded";
import { findLost } from "test-kit/load/settle";
import { newTenant, PASSWORD, pick, show, Visitor } from "test-kit/load/visitor";
import { createDatabase } from "test-kit/run-database";
import { startRedis } from "test-kit/servers/redis-server";
import { OWN_SOURCE, type RunningApp, startApp } from "../app/start-app.ts";
import { startSlowProxy } from "./slow-proxy.ts";

export type RedisFaultsOptions = Judged & {
	/** how often each fault is caused, for each kind of session storage */
	rounds: number;
	seed: number;
	log: (line: string) => void;
	source?: string;
};

type FaultFigures = {
	sessions: Sessions;
	fault: string;
	answers: Record<string, number>;
	slowestAnswerMs: number;
	recoveryMs: { first: number; all: number };
	people: number;
	signOuts: number;
};
export type RedisFaultsResult = { seed: number; faults: FaultFigures[]; violations: string[] };

type Sessions = "in Redis" | "in Redis and the database";
const WORKERS = 6;

type Parts = {
	redis: Awaited<ReturnType<typeof startRedis>>;
	proxy: Awaited<ReturnType<typeof startSlowProxy>>;
	chance: Seeded;
};

/** The faults of Redis. Each ends with a working Redis. */
const FAULTS: Record<string, (parts: Parts) => Promise<void>> = {
	lost: async ({ redis, proxy, chance }) => {
		await redis.stop();
		await proxy.shut();
		await wait(chance.whole(500, 2_000));
		await redis.start();
		await proxy.open();
	},
	slow: async ({ proxy }) => {
		proxy.delay(2_000);
		await wait(8_000);
		proxy.delay(0);
	},
	hanging: async ({ proxy, chance }) => {
		// longer than any client waits, and dropped at the end
		proxy.delay(3_600_000);
		await wait(chance.whole(7_000, 9_000));
		await proxy.shut();
		proxy.delay(0);
		await proxy.open();
	},
	"restarted empty": async ({ redis, chance }) => {
		await redis.stop();
		await wait(chance.whole(100, 800));
		await redis.start({ empty: true });
	},
};

/** Stops, slows, hangs and empties Redis while users sign up, in and out. */
export const runRedisFaults = async ({
	rounds,
	seed,
	byTime,
	log,
	source = OWN_SOURCE,
}: RedisFaultsOptions): Promise<RedisFaultsResult> => {
	const chance = seeded(seed);
	const result: RedisFaultsResult = { seed, faults: [], violations: [] };
	for (const sessions of ["in Redis", "in Redis and the database"] as const) {
		const database = await createDatabase();
		const redis = await startRedis({ persistent: true });
		const proxy = await startSlowProxy(redis.port);
		let app: RunningApp | null = null;
		try {
			const running = await startApp({
				databaseURL: database.url,
				source,
				hashing: "cheap",
				redis: { url: `redis://127.0.0.1:${proxy.port}`, prefix: "faults:" },
				sessionsInDatabaseToo: sessions === "in Redis and the database",
			});
			app = running;
			const origin = () => running.origin;
			const tenants = [];
			for (const slug of ["redis-a", "redis-b"]) tenants.push(await newTenant(new Visitor(origin), slug));
			for (let round = 0; round < rounds; round += 1) {
				for (const [fault, make] of Object.entries(FAULTS)) {
					const name = `${fault}, sessions ${sessions}, round ${round + 1}`;
					const makeIt = () => make({ redis, proxy, chance });
					const mayEnd = fault === "restarted empty" && sessions === "in Redis";
					const { figures, complaints } = await underLoad({ origin, tenants, makeIt, mayEnd, byTime });
					complaints.push(...(await findHalfMade(database.query)));
					result.faults.push({ sessions, fault, ...figures });
					result.violations.push(...complaints.map((complaint) => `${name}: ${complaint}`));
					log(
						`${name}: all back after ${figures.recoveryMs.all} ms, slowest answer ${figures.slowestAnswerMs} ms, ${complaints.length} complaints`,
					);
				}
			}
			result.violations.push(...(await running.call("unhandled")));
		} finally {
			await app?.kill();
			await proxy.shut();
			await redis.close();
			await database.drop();
		}
	}
	return result;
};

type Phase = Judged & { origin: () => string; tenants: string[]; makeIt: () => Promise<void>; mayEnd: boolean };

const underLoad = async ({ origin, tenants, makeIt, mayEnd, byTime }: Phase) => {
	const ledger = createLedger();
	const witnesses = await signUpWitnesses(origin, tenants);
	let emptied = false;
	const endLoad = startLoad({
		workers: WORKERS,
		origin,
		tenants,
		people: crypto.randomUUID(),
		ledger,
		sessionsMayEnd: () => mayEnd && emptied,
	});
	try {
		await untilAllSucceed(ledger, WORKERS);
		await wait(1_000);
		emptied = true;
		await makeIt();
		const recoveryMs = await measureRecovery(ledger, WORKERS, makeIt, { byTime });
		await wait(1_000);
		await endLoad();
		const figures = {
			answers: { ...ledger.answers },
			slowestAnswerMs: ledger.slowest(),
			recoveryMs,
			people: ledger.people.length,
			signOuts: ledger.revoked.length,
		};
		const complaints = [...ledger.violations(), ...(await findLost(ledger, origin)), ...(await ask(witnesses, mayEnd))];
		return { figures, complaints };
	} finally {
		await endLoad();
	}
};

type Witness = { visitor: Visitor; email: string; tenantId: string };

/** Users who do nothing meanwhile. The same address in another tenant is another user. */
const signUpWitnesses = async (origin: () => string, tenants: string[]): Promise<Witness[]> => {
	const witnesses: Witness[] = [];
	const email = `${crypto.randomUUID()}@example.com`;
	for (const tenantId of tenants) {
		const visitor = new Visitor(origin);
		await visitor.send("/tenant/sign-up/email", { body: { tenantId, name: "W", email, password: PASSWORD } });
		witnesses.push({ visitor, email, tenantId });
	}
	return witnesses;
};

/** Each sees their own session, or none if all were lost. Never another user's. */
const ask = async (witnesses: Witness[], areLost: boolean): Promise<string[]> => {
	const complaints: string[] = [];
	for (const { visitor, email, tenantId } of witnesses) {
		const answer = await visitor.send("/get-session");
		const isOwn = pick(answer.json, "user", "email") === email && pick(answer.json, "session", "tenantId") === tenantId;
		const isNone = answer.status === 200 && answer.json === null;
		if (areLost ? !isNone : !isOwn) complaints.push(`a witness of ${tenantId} got ${show(answer)}`);
	}
	return complaints;
};
