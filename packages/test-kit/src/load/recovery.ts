import { setTimeout as wait } from "node:timers/promises";
import type { Ledger } from "./ledger.ts";

const RECOVERY_LIMIT_MS = 5_000;
/** When to give up on a worker. A busy machine takes a while; a lost worker never comes back. */
const GIVE_UP_MS = 120_000;

type Recovery = { first: number; all: number };

/** Full runs, alone on a machine, have a recovery limit. Short runs share a machine and only require recovery. */
export type Judged = { byTime: boolean };

const limitOf = ({ byTime }: Judged): number => (byTime ? RECOVERY_LIMIT_MS : GIVE_UP_MS);

export const isTooSlow = (milliseconds: number, judged: Judged): boolean => milliseconds > limitOf(judged);

/** The time from now until the first worker succeeds, and until all do. */
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
 * The same after a fault, with a limit. The machine may stall for seconds, so slow recovery is confirmed by the same
 * fault again.
 */
export const measureRecovery = async (
	ledger: Ledger,
	workers: number,
	strikeAgain: () => Promise<void>,
	judged: Judged,
): Promise<Recovery> => {
	let recovery = await untilAllSucceed(ledger, workers);
	for (let again = 0; again < 2 && isTooSlow(recovery.all, judged); again += 1) {
		await strikeAgain();
		recovery = await untilAllSucceed(ledger, workers);
	}
	if (isTooSlow(recovery.all, judged)) ledger.violate(`it took more than ${limitOf(judged)} ms until all succeeded`);
	return recovery;
};

export type Spread = { median: number; p99: number; most: number };

/** Median, tail and maximum of some values. */
export const spread = (values: number[]): Spread => {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (part: number) => Math.round(sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0);
	return { median: at(0.5), p99: at(0.99), most: at(1) };
};
