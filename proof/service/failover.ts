import type { Ledger } from "test-kit/load/ledger";
import { untilAllSucceed } from "test-kit/load/recovery";
import type { Outcome } from "test-kit/results/outcome";
import { untilWritesSucceed } from "./until-writes-succeed.ts";

export type FailoverRound = {
	/** until the standby takes writes: whatever manages the database decides this one */
	promotedAfterMs: number;
	/** from the loss of the primary until somebody, and until everybody, succeeds again */
	firstSuccessAfterMs: number;
	allAfterMs: number;
	/** and until sign-ins, which write, succeed one after the other */
	writesAfterMs: number;
};

export type FailoverResult = {
	rounds: FailoverRound[];
	acknowledged: { people: number; signOuts: number };
	answers: Record<string, number>;
	slowestAnswerMs: number;
	violations: string[];
};

type UnderLoad = { ledger: Ledger; workers: number; origin: string; tenants: string[] };

/** How long it takes, from the loss of a server that was replaced so long after it, until all is well. */
export const measureFailover = async (
	promotedAfterMs: number,
	{ ledger, workers, origin, tenants }: UnderLoad,
): Promise<FailoverRound> => {
	const began = performance.now();
	const recovery = await untilAllSucceed(ledger, workers);
	await untilWritesSucceed(origin, tenants[0] ?? "");
	return {
		promotedAfterMs,
		firstSuccessAfterMs: promotedAfterMs + recovery.first,
		allAfterMs: promotedAfterMs + recovery.all,
		writesAfterMs: promotedAfterMs + Math.round(performance.now() - began),
	};
};

export const tell = (round: FailoverRound | undefined): string =>
	round
		? `replaced after ${round.promotedAfterMs} ms, first success after ${round.firstSuccessAfterMs} ms, all after ${round.allAfterMs} ms, writes again after ${round.writesAfterMs} ms`
		: "";

export const report = (result: FailoverResult): Outcome<FailoverResult> => ({
	result,
	wrong: result.violations,
	lines: [
		...result.rounds.map((round, index) => `failover ${index + 1}: ${tell(round)}`),
		`${result.acknowledged.people} sign-ups and ${result.acknowledged.signOuts} sign-outs acknowledged, ${result.violations.length} ways in which one was lost or answered wrongly`,
	],
});
