import type { HttpAnswer } from "./http-request.ts";

/** Attempts per call: a few for interactive commands, enough to survive a failover for long imports and exports. */
export const ATTEMPTS = { short: 4, long: 12 } as const;

/** If the server asks to wait longer than this, the call fails instead. */
const LONGEST_WAIT = 120;

/**
 * Seconds to wait before a retry, or null to give up. A 429 was never processed, so every call may be retried. For
 * other failures the outcome is unknown, so only idempotent calls are retried.
 */
export const waitBefore = (
	answer: HttpAnswer | null,
	{ attempt, attempts, repeatable }: { attempt: number; attempts: number; repeatable: boolean },
): number | null => {
	if (attempt >= attempts) return null;
	const status = answer?.status ?? 0;
	if (status !== 429 && !(repeatable && [0, 502, 503, 504].includes(status))) return null;
	const asked = answer ? askedFor(answer) : null;
	if (asked !== null) return asked <= LONGEST_WAIT ? asked : null;
	// jitter, so clients do not retry all at once
	return Math.min(0.5 * 2 ** (attempt - 1), 15) * (0.75 + Math.random() / 2);
};

/** Retry-After in seconds or as a date (RFC 9110, section 10.2.3); the engine calls it X-Retry-After. */
const askedFor = ({ headers }: HttpAnswer): number | null => {
	const given = headers["retry-after"] ?? headers["x-retry-after"];
	if (typeof given !== "string" || given.trim() === "") return null;
	const seconds = /^\d+(\.\d+)?$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
	return Number.isFinite(seconds) ? Math.max(seconds, 0.1) : null;
};
