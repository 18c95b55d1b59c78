import { setTimeout as wait } from "node:timers/promises";
import type { Ledger } from "./ledger.ts";

export const RECOVERY_LIMIT_MS = 5_000;
/** when a worker that does not come back is given up */
const GIVE_UP_MS = 30_000;

type Recovery = { first: number; all: number };

/** How long it takes, from now, until somebody succeeds and until everybody does. */
export const untilAllSucceed = async (ledger: Ledger, workers: number): Promise<Recovery> => {
	const since = performance.now();
	const back = () => [...ledger.lastSuccess.values()].filter((at) => at > since).length;
	let first: number | null = null;
	for (;;) {
		const passed = performance.now() - since;
		if (first === null && back() > 0) first = passed;
		if (back() === workers || passed > GIVE_UP_MS)
			return { first: Math.round(first ?? passed), all: Math.round(passed) };
		await wait(5);
	}
};

/**
 * The same after a fault, where it may not take long. The machine itself may stand still for seconds: what is slow to recover
 * is slow after the same fault again.
 */
export const measureRecovery = async (
	ledger: Ledger,
	workers: number,
	strikeAgain: () => Promise<void>,
): Promise<Recovery> => {
	let recovery = await untilAllSucceed(ledger, workers);
	for (let again = 0; again < 2 && recovery.all > RECOVERY_LIMIT_MS; again += 1) {
		await strikeAgain();
		recovery = await untilAllSucceed(ledger, workers);
	}
	if (recovery.all > RECOVERY_LIMIT_MS) ledger.violate(`it took more than ${RECOVERY_LIMIT_MS} ms until all succeeded`);
	return recovery;
};

export type Spread = { median: number; p99: number; most: number };

/** The middle, the tail and the end of some figures. */
export const spread = (values: number[]): Spread => {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (part: number) => Math.round(sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0);
	return { median: at(0.5), p99: at(0.99), most: at(1) };
};
