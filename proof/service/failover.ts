import type { Ledger } from "test-kit/load/ledger";
import { untilAllSucceed } from "test-kit/load/recovery";
import type { Outcome } from "test-kit/results/outcome";
import { untilWritesSucceed } from "./until-writes-succeed.ts";

export type FailoverRound = {
	/** until the standby accepts writes, which the database manager decides */
	promotedAfterMs: number;
	/** from the loss of the primary until the first success, and until all succeed */
	firstSuccessAfterMs: number;
	allAfterMs: number;
	/** and until sign-ins, which write, succeed consistently */
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

/** Measures the time from the loss of a server until everything works again. */
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
