import type { Readiness } from "../http/probes.ts";
import { withinTime } from "../lib/time-limit.ts";
import type { Logger } from "../observe/logger.ts";

type Check = () => Promise<unknown>;

/** Maximum milliseconds per check. */
const TIME_LIMIT = 1000;
/** Milliseconds to cache a result, so many probes query the database once per second. */
const MAX_AGE = 1000;

type Checks = { required: Record<string, Check>; optional?: Record<string, Check> };

/**
 * Checks whether the server can serve requests: everything that it requires responds, and it is not shutting down. What is
 * optional is only reported.
 */
export const createReadiness = ({ required, optional = {} }: Checks, logger: Logger) => {
	const probes = Object.entries({ ...required, ...optional }).map(([name, check]) => ({
		name,
		probe: oneAtATime(check),
	}));
	let isClosing = false;
	let last: { asked: number; answer: ReturnType<Readiness> } | null = null;
	let wasReady = true;

	const ask: Readiness = async () => {
		const results = await Promise.all(
			probes.map(async ({ name, probe }) => {
				const failure: unknown = await withinTime(TIME_LIMIT, probe()).then(
					() => null,
					(error: unknown) => error,
				);
				if (failure !== null && wasReady && !(name in optional))
					logger.warn({ err: failure, check: name }, "not ready");
				return [name, failure === null ? "ok" : "failed"] as const;
			}),
		);
		const ready = results.every(([name, result]) => result === "ok" || name in optional);
		if (ready && !wasReady) logger.info("ready again");
		wasReady = ready;
		return { ready, checks: Object.fromEntries(results) };
	};

	return {
		readiness: (async () => {
			if (isClosing) return { ready: false, checks: { shutdown: "closing" } };
			const now = performance.now();
			if (!last || now - last.asked > MAX_AGE) last = { asked: now, answer: ask() };
			return last.answer;
		}) satisfies Readiness,
		/** From now on, the server is not ready. */
		close: (): void => {
			isClosing = true;
		},
	};
};

/** Waits for a pending check instead of starting another, so hanging checks do not pile up. */
const oneAtATime = (check: Check): Check => {
	let running: Promise<unknown> | null = null;
	return () => {
		running ??= check().finally(() => {
			running = null;
		});
		return running;
	};
};
