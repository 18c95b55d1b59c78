import type { HttpAnswer } from "./http-request.ts";

/** How often a call is made: a few times where somebody waits, through a failover where an hour's work hangs on it. */
export const ATTEMPTS = { short: 4, long: 12 } as const;

/** A server that asks for more patience than this is told of instead. */
const LONGEST_WAIT = 120;

/**
 * Seconds to wait before the call is made again, or null to give up. 429 was never begun, so everything may be repeated;
 * after the others nobody knows, so only what does no harm twice is.
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
	// spread out, or everybody who was refused comes back at the same moment
	return Math.min(0.5 * 2 ** (attempt - 1), 15) * (0.75 + Math.random() / 2);
};

/** Retry-After in seconds or as a date (RFC 9110, section 10.2.3); the engine calls it X-Retry-After. */
const askedFor = ({ headers }: HttpAnswer): number | null => {
	const given = headers["retry-after"] ?? headers["x-retry-after"];
	if (typeof given !== "string" || given.trim() === "") return null;
	const seconds = /^\d+(\.\d+)?$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
	return Number.isFinite(seconds) ? Math.max(seconds, 0.1) : null;
};
