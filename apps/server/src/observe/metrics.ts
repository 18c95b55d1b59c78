import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { OTHER, type Route } from "../http/routes.ts";
import { knownProvider } from "./providers.ts";
import { SIGN_IN_METHODS, type SignInOutcome } from "./sign-ins.ts";

export type Metrics = ReturnType<typeof createMetrics>;

type PoolCounts = { totalCount: number; idleCount: number; waitingCount: number };

/** No seconds: what was refused before it was a request. */
type AnsweredRequest = { method: string; route: Route; status: number; seconds: number | null };

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * What the service counts. Every label takes its values from a closed list, and none is the tenant: 100,000 tenants make
 * as many series as one.
 */
export const createMetrics = ({ pool }: { pool: PoolCounts | null }) => {
	const register = new Registry();
	const registers = [register];
	collectDefaultMetrics({ register });

	const requests = new Counter({
		name: "http_requests_total",
		help: "Requests by method, endpoint and class of status",
		labelNames: ["method", "route", "status"] as const,
		registers,
	});
	const durations = new Histogram({
		name: "http_request_duration_seconds",
		help: "Seconds from a request's head to the end of its answer",
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
	const providerSeconds = new Histogram({
		name: "provider_request_duration_seconds",
		help: "Seconds until a social provider answered a call of ours",
		labelNames: ["provider"] as const,
		buckets: SECONDS,
		registers,
	});
	const providerErrors = new Counter({
		name: "provider_errors_total",
		help: "Calls to social providers that were not answered (unreachable), refused (4xx) or failed (5xx)",
		labelNames: ["provider", "kind"] as const,
		registers,
	});
	const tenantCache = new Counter({
		name: "tenant_cache_total",
		help: "Look-ups of tenants that the cache knew (hit) and did not (miss)",
		labelNames: ["result"] as const,
		registers,
	});
	const unhandled = new Counter({
		name: "unhandled_errors_total",
		help: "Errors that nobody expected; each is in the log",
		registers,
	});
	if (pool) observePool(pool, registers);

	return {
		/** One request that was answered. */
		request: ({ method, route, status, seconds }: AnsweredRequest): void => {
			const labels = { method: METHODS.has(method) ? method : OTHER.pattern, route: route.pattern };
			requests.inc({ ...labels, status: status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : "other" });
			if (seconds !== null) durations.observe(labels, seconds);
		},
		signIn: ({ method, outcome }: { method: string; outcome: SignInOutcome }): void => {
			const known = SIGN_IN_METHODS.has(method) ? method : knownProvider(method);
			signIns.inc({ method: known ?? "other", outcome });
		},
		/** One call to a provider that was answered. */
		providerAnswered: (provider: string, seconds: number, status: number): void => {
			const label = knownProvider(provider) ?? "other";
			providerSeconds.observe({ provider: label }, seconds);
			if (status >= 400) providerErrors.inc({ provider: label, kind: status >= 500 ? "failed" : "refused" });
		},
		/** One call to a provider that was not. */
		providerUnreachable: (provider: string): void =>
			providerErrors.inc({ provider: knownProvider(provider) ?? "other", kind: "unreachable" }),
		/** Told by whoever caches tenants. */
		tenantCache: {
			hit: (): void => tenantCache.inc({ result: "hit" }),
			miss: (): void => tenantCache.inc({ result: "miss" }),
		},
		unhandledError: (): void => unhandled.inc(),
		contentType: register.contentType,
		/** Everything in the text format of Prometheus. */
		text: (): Promise<string> => register.metrics(),
	};
};

const observePool = (pool: PoolCounts, registers: Registry[]): void => {
	new Gauge({
		name: "database_pool_connections",
		help: "Connections of the pool: all, those that nobody uses, and requests that wait for one",
		labelNames: ["state"] as const,
		registers,
		collect() {
			this.set({ state: "total" }, pool.totalCount);
			this.set({ state: "idle" }, pool.idleCount);
			this.set({ state: "waiting" }, pool.waitingCount);
		},
	});
};
