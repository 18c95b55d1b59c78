import { TENANT_AUTH_ERROR_CODES, type TenantActivity } from "better-auth-tenants";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Backlog } from "../jobs/queue.ts";
import type { MailCounts } from "../mail/deliver.ts";
import { knownProvider } from "../observe/providers.ts";
import type { Cache } from "../redis/cache.ts";
import { OTHER, type Route } from "../request/routes.ts";
import type { SmsCounts } from "../sms/sms-sender.ts";
import { SWEPT, type Swept } from "../sweep/sweep.ts";
import { readSignInNumbers, type SignInNumbers } from "./sign-in-numbers.ts";
import { SIGN_IN_METHODS, type SignInOutcome } from "./sign-ins.ts";
import { observeActivity } from "./tenant-activity.ts";

export type Metrics = ReturnType<typeof createMetrics>;

type PoolCounts = { totalCount: number; idleCount: number; waitingCount: number };

/** What this process sent and gave up, and what waits in the database for any process. */
type MailNumbers = { counts: MailCounts; pending: () => Promise<Backlog> };

/** Copies of sessions in Redis. */
type CacheNumbers = Pick<Cache, "counts"> & Pick<Cache["sessions"], "state"> & { probe: () => Promise<void> };

type MetricsWith = {
	pool: PoolCounts | null;
	cache?: CacheNumbers | null;
	mails?: MailNumbers | null;
	textMessages?: (() => SmsCounts) | null;
	/** how many log lines were dropped so far */
	droppedLines?: () => number;
};

/** What a metric means. */
export type MetricDescription = { name: string; help: string; type: string; labels: string[] };

/** `seconds` is null if the request was rejected before it was parsed. */
type AnsweredRequest = { method: string; route: Route; status: number; seconds: number | null };

const REFUSALS = new Map<string, string>([
	[TENANT_AUTH_ERROR_CODES.TENANT_BUSY.code, "tenant_busy"],
	[TENANT_AUTH_ERROR_CODES.SERVER_BUSY.code, "server_busy"],
	[TENANT_AUTH_ERROR_CODES.HASHING_BUSY.code, "hashing_busy"],
	[TENANT_AUTH_ERROR_CODES.STORE_UNAVAILABLE.code, "store_unavailable"],
]);
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * The metrics of the server. Every label has a fixed set of values, and none is the tenant: 100,000 tenants create as
 * many series as one.
 */
export const createMetrics = (parts: MetricsWith) => {
	const register = new Registry();
	const registers = [register];
	collectDefaultMetrics({ register });

	// their order is that of the reference page
	const { requests, durations, signIns } = requestMetrics(registers);
	const providers = providerMetrics(registers);
	const { tenantCache, unhandled, refusals, swept } = processMetrics(registers);
	observeParts(parts, registers);

	return {
		/** Records a completed request. */
		request: ({ method, route, status, seconds }: AnsweredRequest): void => {
			const labels = { method: METHODS.has(method) ? method : OTHER.pattern, route: route.pattern };
			requests.inc({ ...labels, status: status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : "other" });
			if (seconds !== null) durations.observe(labels, seconds);
		},
		/** Records the status and error code of a refused request. Others are not counted. */
		refused: (status: number, code: string | null): void => {
			const reason = status === 429 ? "limited" : REFUSALS.get(code ?? "");
			if (reason !== undefined) refusals.inc({ reason });
		},
		signIn: ({ method, outcome }: { method: string; outcome: SignInOutcome }): void => {
			const known = SIGN_IN_METHODS.has(method) ? method : knownProvider(method);
			signIns.inc({ method: known ?? "other", outcome });
		},
		...providers,
		/** Called by the tenant cache. */
		tenantCache: {
			hit: (): void => tenantCache.inc({ result: "hit" }),
			miss: (): void => tenantCache.inc({ result: "miss" }),
		},
		unhandledError: (): void => unhandled.inc(),
		/** Adds what the engine knows. It exists only after the metrics, which it counts in. */
		observeActivity: (read: () => Promise<TenantActivity>): void => observeActivity(read, registers),
		/** Records deleted expired rows. */
		swept: (table: Swept, rows: number): void => swept.inc({ table }, rows),
		/** Every metric with its meaning, type and labels. The reference page is written from it. */
		describe: (): MetricDescription[] => register.getMetricsAsArray().map(describeMetric),
		/** The sign-ins of this process since it started, and how long their endpoints took. */
		signInNumbers: async (): Promise<SignInNumbers> => readSignInNumbers(await signIns.get(), await durations.get()),
		contentType: register.contentType,
		/** All metrics in the Prometheus text format. */
		text: (): Promise<string> => register.metrics(),
	};
};

const requestMetrics = (registers: Registry[]) => {
	const requests = new Counter({
		name: "http_requests_total",
		help: "Requests by method, endpoint and status class",
		labelNames: ["method", "route", "status"] as const,
		registers,
	});
	const durations = new Histogram({
		name: "http_request_duration_seconds",
		help: "Seconds from a request's headers to the end of its response",
		labelNames: ["method", "route"] as const,
		buckets: SECONDS,
		registers,
	});
	const signIns = new Counter({
		name: "sign_ins_total",
		help: "Sign-ins by method (email, a provider, magic-link, …) and outcome (success, pending, refused, failed)",
		labelNames: ["method", "outcome"] as const,
		registers,
	});
	return { requests, durations, signIns };
};

const providerMetrics = (registers: Registry[]) => {
	const providerSeconds = new Histogram({
		name: "provider_request_duration_seconds",
		help: "Seconds until a social provider responded to a call",
		labelNames: ["provider"] as const,
		buckets: SECONDS,
		registers,
	});
	const providerErrors = new Counter({
		name: "provider_errors_total",
		help: "Failed calls to social providers: unreachable, refused (4xx) or failed (5xx)",
		labelNames: ["provider", "kind"] as const,
		registers,
	});
	return {
		/** Records a call to a provider that got a response. */
		providerAnswered: (provider: string, seconds: number, status: number): void => {
			const label = knownProvider(provider) ?? "other";
			providerSeconds.observe({ provider: label }, seconds);
			if (status >= 400) providerErrors.inc({ provider: label, kind: status >= 500 ? "failed" : "refused" });
		},
		/** Records a call to a provider that got no response. */
		providerUnreachable: (provider: string): void =>
			providerErrors.inc({ provider: knownProvider(provider) ?? "other", kind: "unreachable" }),
	};
};

const processMetrics = (registers: Registry[]) => {
	const tenantCache = new Counter({
		name: "tenant_cache_total",
		help: "Tenant lookups served by the cache (hit) or not (miss)",
		labelNames: ["result"] as const,
		registers,
	});
	const unhandled = new Counter({
		name: "unhandled_errors_total",
		help: "Unhandled errors; each is logged",
		registers,
	});
	const refusals = new Counter({
		name: "requests_refused_total",
		help: "Requests refused by a rate limit (limited), because of load (tenant_busy, server_busy, hashing_busy), or because the database or Redis does not respond (store_unavailable)",
		labelNames: ["reason"] as const,
		registers,
	});
	const swept = new Counter({
		name: "swept_rows_total",
		help: `Expired rows that this process deleted, by table (${SWEPT.join(", ")})`,
		labelNames: ["table"] as const,
		registers,
	});
	return { tenantCache, unhandled, refusals, swept };
};

/** What is counted elsewhere, by the parts that the server has. */
const observeParts = ({ pool, cache, mails, textMessages, droppedLines }: MetricsWith, registers: Registry[]): void => {
	if (pool) observePool(pool, registers);
	if (cache) observeCache(cache, registers);
	if (mails) observeMails(mails, registers);
	if (textMessages) observeTextMessages(textMessages, registers);
	if (droppedLines)
		countUpTo(droppedLines, {
			name: "log_lines_dropped_total",
			help: "Log lines that were dropped because nobody read the log, or its disk was full",
			registers,
		});
};

/** prom-client's types leave out what its metrics have. */
const describeMetric = (metric: object): MetricDescription => {
	const read = (name: string): unknown => Reflect.get(metric, name);
	const kinds: [new (...args: never[]) => object, string][] = [
		[Counter, "counter"],
		[Gauge, "gauge"],
		[Histogram, "histogram"],
	];
	return {
		name: String(read("name")),
		help: String(read("help")),
		type: kinds.find(([kind]) => metric instanceof kind)?.[1] ?? "summary",
		labels: [read("labelNames")].flat().map(String),
	};
};

const observePool = (pool: PoolCounts, registers: Registry[]): void => {
	new Gauge({
		name: "database_pool_connections",
		help: "Connections of the pool: total, idle, and requests waiting for one",
		labelNames: ["state"] as const,
		registers,
		collect() {
			this.set({ state: "total" }, pool.totalCount);
			this.set({ state: "idle" }, pool.idleCount);
			this.set({ state: "waiting" }, pool.waitingCount);
		},
	});
};

const observeCache = ({ probe, state, counts }: CacheNumbers, registers: Registry[]): void => {
	new Gauge({
		name: "redis_up",
		help: "1 while Redis accepts a write. Without it, sessions are read from PostgreSQL and rate limits apply per process",
		registers,
		async collect() {
			this.set(
				await probe().then(
					() => 1,
					() => 0,
				),
			);
		},
	});
	new Gauge({
		name: "session_cache_followed",
		help: "1 while this process follows the changes that PostgreSQL records. Without, sessions are read from PostgreSQL",
		registers,
		collect() {
			this.set(state().isLeased ? 1 : 0);
		},
	});
	new Gauge({
		name: "session_cache_changed_users",
		help: "Users who changed in the last minutes, so that older copies of their sessions are not used",
		registers,
		collect() {
			this.set(state().remembered);
		},
	});
	new Counter({
		name: "session_copies_total",
		help: "Session checks that looked for a copy in Redis: found, missing, or failed because Redis did not respond in time",
		labelNames: ["result"] as const,
		registers,
		collect() {
			this.reset();
			for (const result of ["found", "missing", "failed"] as const) this.inc({ result }, counts[result]);
		},
	});
};

const observeMails = ({ counts, pending }: MailNumbers, registers: Registry[]): void => {
	for (const outcome of ["sent", "failed"] as const)
		countUpTo(() => counts[outcome], {
			name: `mails_${outcome}_total`,
			help:
				outcome === "sent"
					? "Mails that the mail server accepted from this process"
					: "Mails that this process gave up; each is logged",
			registers,
		});
	let asked: Promise<Backlog> | null = null;
	/** Both gauges are collected at the same time, with one query. */
	const ask = (): Promise<Backlog> => {
		asked ??= pending()
			// not a number while the database does not respond: 0 would be a lie
			.catch(() => ({ pending: Number.NaN, oldest: Number.NaN }))
			.finally(() => {
				asked = null;
			});
		return asked;
	};
	new Gauge({
		name: "mails_pending",
		help: "Mails in the database that are neither sent nor given up. Every process reports the same number",
		registers,
		async collect() {
			this.set((await ask()).pending);
		},
	});
	new Gauge({
		name: "mails_oldest_pending_seconds",
		help: "Age of the oldest mail that is neither sent nor given up, 0 if there is none. Every process reports the same",
		registers,
		async collect() {
			this.set((await ask()).oldest);
		},
	});
};

const observeTextMessages = (messages: () => SmsCounts, registers: Registry[]): void => {
	for (const outcome of ["sent", "failed"] as const)
		countUpTo(() => messages()[outcome], {
			name: `text_messages_${outcome}_total`,
			help:
				outcome === "sent"
					? "Text messages that the SMS webhook accepted"
					: "Text messages that were given up; each is logged",
			registers,
		});
	new Gauge({
		name: "text_messages_pending",
		help: "Text messages that are neither sent nor given up",
		registers,
		collect() {
			this.set(messages().pending);
		},
	});
};

/** A counter whose value is counted elsewhere. */
const countUpTo = (total: () => number, settings: { name: string; help: string; registers: Registry[] }): void => {
	let counted = 0;
	new Counter({
		...settings,
		collect() {
			const now = total();
			this.inc(now - counted);
			counted = now;
		},
	});
};
