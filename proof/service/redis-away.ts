import { setTimeout as wait } from "node:timers/promises";
import { countAnswers, createLedger } from "test-kit/load/ledger";
import { startLoad } from "test-kit/load/load";
import { type Spread, spread, untilAllSucceed } from "test-kit/load/recovery";
import { findRevived } from "test-kit/load/settle";
import { newTenant, Visitor } from "test-kit/load/visitor";
import type { Outcome } from "test-kit/results/outcome";
import { showCount } from "test-kit/results/show-count";
import { startCuttableProxy } from "test-kit/servers/cuttable-proxy";
import { startPostgres } from "test-kit/servers/postgres-server";
import { startRedisCluster } from "test-kit/servers/redis-cluster";
import { startRedis } from "test-kit/servers/redis-server";
import { startSentinelSet } from "test-kit/servers/sentinels";
import type { Environment } from "test-kit/service/service";
import { startStack } from "test-kit/service/stack";
import type { RunOptions } from "./part.ts";
import { SERVICE_MAIN } from "./service-main.ts";

const WORKERS = 4;
/** Milliseconds of the lease (TENANT_CACHE_MAX_AGE) and of a busy machine. */
const ENDS_WITHIN = 8_000;

export type Measured = {
	what: string;
	seconds: number;
	requests: number;
	/** responses that were no success */
	failed: number;
	/** sessions that ended */
	ended: number;
	/** of these, accepted after all */
	cameBack: number;
	/** milliseconds from a sign-out at one process until both refuse the session */
	endedAfter: Spread;
	/** milliseconds from a change of a user at one process until a response shows it */
	seenAfter: Spread;
	/** milliseconds of a response */
	took: Spread;
	answers: Record<string, number>;
	violations: string[];
};
export type RedisAwayResult = { faults: Measured[] };

/** Redis as the two processes see it, and how it goes away and comes back. */
export type Stage = {
	shared: Environment;
	alone?: Environment[];
	begin: () => Promise<unknown>;
	end: () => Promise<unknown>;
	close: () => Promise<unknown>;
};

const single = async (
	begin: (redis: Server) => unknown,
	end: (redis: Server) => unknown = () => undefined,
): Promise<Stage> => {
	const redis = await startRedis();
	return {
		shared: { REDIS_URL: redis.url },
		begin: async () => begin(redis),
		end: async () => end(redis),
		close: redis.close,
	};
};
type Server = Awaited<ReturnType<typeof startRedis>>;

const FAULTS: Record<string, () => Promise<Stage>> = {
	"Redis is stopped": () =>
		single(
			(redis) => redis.stop(),
			(redis) => redis.start(),
		),
	"Redis hangs": () =>
		single(
			(redis) => redis.freeze(),
			(redis) => redis.thaw(),
		),
	"Redis is emptied, every half a second": () => {
		let timer: NodeJS.Timeout | undefined;
		return single(
			(redis) => {
				timer = setInterval(() => void redis.flush().catch(() => {}), 500);
			},
			() => clearInterval(timer),
		);
	},
	"Redis is full": () =>
		single(
			(redis) => redis.configure("maxmemory", "1"),
			(redis) => redis.configure("maxmemory", "0"),
		),
	"Redis is cut off from one of two processes": async () => {
		const redis = await startRedis();
		const proxy = await startCuttableProxy(redis.port);
		return {
			// for the migration
			shared: { REDIS_URL: redis.url },
			alone: [{ REDIS_URL: redis.url }, { REDIS_URL: `redis://127.0.0.1:${proxy.port}` }],
			begin: async () => proxy.cut(),
			end: async () => proxy.mend(),
			close: async () => {
				proxy.close();
				await redis.close();
			},
		};
	},
	"A primary of a cluster of six is killed": async () => {
		const cluster = await startRedisCluster();
		return {
			shared: { REDIS_CLUSTER: cluster.addresses.join(",") },
			begin: cluster.failOver,
			end: async () => {},
			close: cluster.close,
		};
	},
	"The primary of three Redis servers is killed": async () => {
		const set = await startSentinelSet();
		return {
			shared: { REDIS_SENTINELS: set.addresses.join(","), REDIS_SENTINEL_NAME: set.name },
			begin: set.failOver,
			end: async () => {},
			close: set.close,
		};
	},
};

/** Takes Redis away in several ways, while users sign up, in and out at two processes. */
export const runRedisAway = async ({ full, log }: RunOptions): Promise<Outcome<RedisAwayResult>> => {
	const faults: Measured[] = [];
	for (const [what, open] of Object.entries(FAULTS)) {
		const measured = await measure(what, open, full ? 600 : 4);
		log(tell(measured));
		faults.push(measured);
	}
	return {
		result: { faults },
		wrong: faults.flatMap(wrongIn),
		lines: faults.map(tell),
	};
};

export const tell = ({ what, seconds, requests, failed, ended, cameBack, took }: Measured): string =>
	`${what}, for ${seconds} s: ${showCount(failed)} of ${showCount(requests)} requests failed, ${showCount(cameBack)} of ${showCount(ended)} ended sessions came back, p99 ${took.p99} ms`;

export const wrongIn = ({ what, failed, cameBack, violations }: Measured): string[] => [
	...(failed > 0 ? [`${what}: ${failed} requests failed`] : []),
	...(cameBack > 0 ? [`${what}: ${cameBack} sessions that had ended were accepted`] : []),
	...violations.map((violation) => `${what}: ${violation}`),
];

/** Milliseconds between what a user does in a long run, which leaves others something of the machine. */
const THINKS = 300;
const isLong = (seconds: number): boolean => seconds > 60;

export const measure = async (what: string, open: () => Promise<Stage>, seconds: number): Promise<Measured> => {
	const thinks = isLong(seconds) ? THINKS : 0;
	const stage = await open();
	const postgres = await startPostgres();
	const ledger = createLedger();
	const closers: (() => Promise<unknown>)[] = [stage.close, postgres.close];
	try {
		const stack = await startStack(SERVICE_MAIN, { DATABASE_URL: postgres.url, ...stage.shared }, stage.alone);
		closers.unshift(stack.close);
		const origin = (): string => stack.origin;
		const tenants = [];
		for (const slug of ["first", "second"]) tenants.push(await newTenant(new Visitor(origin), slug));
		const stop = startLoad({
			workers: WORKERS,
			origin,
			tenants,
			people: "p",
			ledger,
			endsWithin: ENDS_WITHIN,
			renames: true,
			thinks,
		});
		closers.unshift(stop);
		await untilAllSucceed(ledger, WORKERS);
		await stage.begin();
		await wait(seconds * 1_000);
		await stage.end();
		await untilAllSucceed(ledger, WORKERS);
		// long enough for a copy from before the fault to be used again
		await wait(2_000);
		await stop();
		const revived = await findRevived(ledger);
		const { requests, failed } = countAnswers(ledger.answers);
		return {
			what,
			seconds,
			requests,
			failed,
			ended: ledger.revoked.length,
			cameBack: revived.length,
			endedAfter: spread(ledger.endedAfter),
			seenAfter: spread(ledger.seenAfter),
			took: spread(ledger.times),
			answers: ledger.answers,
			violations: ledger.violations(),
		};
	} finally {
		for (const close of closers) await close();
	}
};
