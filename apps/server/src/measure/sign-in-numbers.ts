import { SIGN_IN_ENDPOINTS } from "./sign-ins.ts";

/** Sign-ins since this process started, by method, and how long their endpoints took. */
export type SignInNumbers = {
	methods: { method: string; succeeded: number; pending: number; refused: number; failed: number }[];
	/** estimated from the buckets of the histogram; null without a sign-in */
	milliseconds: { p50: number; p95: number; p99: number } | null;
};

type Values = { values: { value: number; labels: object; metricName?: string }[] };

const OUTCOMES = { success: "succeeded", pending: "pending", refused: "refused", failed: "failed" } as const;
const SIGN_INS = new Set<unknown>(SIGN_IN_ENDPOINTS);

const label = (labels: object, name: string): unknown => Reflect.get(labels, name);

/** Reads the numbers from the values of prom-client's counter and histogram. */
export const readSignInNumbers = (signIns: Values, durations: Values): SignInNumbers => {
	const methods = new Map<string, SignInNumbers["methods"][number]>();
	for (const { value, labels } of signIns.values) {
		const method = String(label(labels, "method"));
		const numbers = methods.get(method) ?? { method, succeeded: 0, pending: 0, refused: 0, failed: 0 };
		const outcome = OUTCOMES[label(labels, "outcome") as keyof typeof OUTCOMES];
		if (outcome) numbers[outcome] += value;
		methods.set(method, numbers);
	}
	/** how many took at most so many seconds */
	const buckets = new Map<number, number>();
	for (const { value, labels, metricName } of durations.values) {
		if (!metricName?.endsWith("_bucket") || !SIGN_INS.has(label(labels, "route"))) continue;
		const at = Number(String(label(labels, "le")).replace("+Inf", "Infinity"));
		buckets.set(at, (buckets.get(at) ?? 0) + value);
	}
	const sorted = [...buckets].sort(([one], [other]) => one - other);
	const total = sorted.at(-1)?.[1] ?? 0;
	const at = (share: number): number => Math.round(quantile(sorted, total * share) * 1_000);
	return {
		methods: [...methods.values()].sort((one, other) => one.method.localeCompare(other.method)),
		milliseconds: total === 0 ? null : { p50: at(0.5), p95: at(0.95), p99: at(0.99) },
	};
};

/** Interpolates inside a bucket, as Prometheus' `histogram_quantile` does. The last bucket has no end. */
const quantile = (buckets: [seconds: number, count: number][], rank: number): number => {
	let [from, before] = [0, 0];
	for (const [seconds, count] of buckets) {
		if (count >= rank && count > before)
			return Number.isFinite(seconds) ? from + ((seconds - from) * (rank - before)) / (count - before) : from;
		if (Number.isFinite(seconds)) from = seconds;
		before = count;
	}
	return from;
};
