import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import type { startPostgres } from "test-kit/servers/postgres-server";
import type { startRedis } from "test-kit/servers/redis-server";
import type { Service } from "test-kit/service/service";
import type { Gate } from "./gate.ts";
import type { startTraffic } from "./traffic.ts";

export type World = {
	postgres: Awaited<ReturnType<typeof startPostgres>>;
	redis: Awaited<ReturnType<typeof startRedis>>;
	mail: Gate;
	service: Service;
	traffic: Awaited<ReturnType<typeof startTraffic>>;
};

/** A fault, the alerts that are for it, and others that it may cause too, besides `OF_LOAD`. `cause` returns what ends it. */
export type Fault = {
	what: string;
	expected: string[];
	mayAlsoCause: string[];
	/** left out of the short form */
	isSlow?: boolean;
	cause: (world: World) => Promise<() => Promise<void>>;
};

const BURN = ["AuthErrorBudgetBurnFast", "AuthErrorBudgetBurnSlow", "AuthErrorBudgetBurnSteady"];

/** Alerts that a busy machine fires too. They are recorded, and judged only where they are expected. */
export const OF_LOAD = [
	...["AuthSessionLatencyHigh", "AuthSignInLatencyHigh", "AuthEventLoopLag", "AuthPoolExhausted", "AuthRequestsShed"],
	...BURN,
];

/** Repeats until it is stopped. */
const keepDoing = (step: () => Promise<unknown>): (() => Promise<void>) => {
	let stopped = false;
	const running = (async () => {
		while (!stopped) await step();
	})();
	return async () => {
		stopped = true;
		await running;
	};
};

export const FAULTS: Fault[] = [
	{
		what: "Redis is killed",
		expected: ["AuthRedisDown"],
		mayAlsoCause: [],
		cause: async ({ redis }) => {
			await redis.stop();
			return () => redis.start();
		},
	},
	{
		what: "the mail server refuses connections",
		expected: ["AuthMailsFailing"],
		mayAlsoCause: ["AuthMailsPending"],
		cause: async ({ mail }) => {
			await mail.close();
			return mail.open;
		},
	},
	{
		what: "the mail server accepts connections and is silent",
		expected: ["AuthMailsPending"],
		mayAlsoCause: ["AuthMailsFailing"],
		isSlow: true,
		cause: async ({ mail }) => {
			mail.silence();
			return mail.open;
		},
	},
	{
		what: "PostgreSQL is stopped",
		expected: ["AuthDatabaseUnavailable", "AuthErrorBudgetBurnFast", "AuthNotReady"],
		mayAlsoCause: [],
		cause: async ({ postgres }) => {
			await postgres.end("immediate");
			return postgres.start;
		},
	},
	{
		what: "the process is killed",
		expected: ["AuthNotReady", "AuthTargetDown"],
		mayAlsoCause: [],
		cause: async ({ service }) => {
			await service.stop("SIGKILL");
			return async () => void (await service.restart());
		},
	},
	{
		what: "one address exceeds its rate limit",
		expected: ["AuthRequestsLimited"],
		mayAlsoCause: [],
		cause: async ({ traffic }) => {
			const from = traffic.someAddress();
			return keepDoing(() => Promise.all([traffic.signIn(from), traffic.signIn(from), wait(50)]));
		},
	},
	{
		what: "one tenant sends more requests than its share",
		expected: ["AuthRequestsShed"],
		mayAlsoCause: [],
		isSlow: true,
		cause: async ({ traffic }) =>
			keepDoing(() => Promise.all([...Array.from({ length: 40 }, () => traffic.signIn()), wait(500)])),
	},
	{
		what: "a lock on a table holds all connections",
		expected: ["AuthPoolExhausted", "AuthSignInLatencyHigh"],
		mayAlsoCause: ["AuthDatabaseUnavailable"],
		isSlow: true,
		cause: async ({ postgres }) => {
			const client = new Client({ connectionString: postgres.url });
			await client.connect();
			await client.query('begin; lock table "session" in access exclusive mode');
			return async () => {
				await client.query("rollback");
				await client.end();
			};
		},
	},
	{
		what: "the process is paused again and again",
		expected: ["AuthEventLoopLag", "AuthSessionLatencyHigh"],
		mayAlsoCause: ["AuthNotReady", "AuthTargetDown"],
		isSlow: true,
		cause: async ({ service }) =>
			keepDoing(async () => {
				service.signal("SIGSTOP");
				await wait(500);
				service.signal("SIGCONT");
				await wait(200);
			}),
	},
];
