import type { Outcome } from "test-kit/results/outcome";
import { MOST_RATIO } from "../neighbors/judge.ts";
import { saysP99 } from "../server/timing.ts";
import type { Step } from "./move-tenant.ts";
import type { BulkResult } from "./result.ts";

/** Memory is flat if a step never needs more than this, compared with its first quarter. */
export const FLAT = { times: 1.2, plusMB: 20 };

const isFlat = ({ firstQuarterMB, mostMB }: Step["memory"]): boolean =>
	mostMB <= Math.max(firstQuarterMB * FLAT.times, firstQuarterMB + FLAT.plusMB);

/** The missed goals, and the summary. */
export const judgeBulk = ({ users, moves }: BulkResult): Omit<Outcome, "result"> => ({
	wrong: moves.flatMap(({ sessionsIn, steps, sent, received, left }) => {
		const at = `sessions in ${sessionsIn}`;
		return [
			...(sent.people === users && JSON.stringify(sent) === JSON.stringify(received)
				? []
				: [
						`${at}: what was exported (${JSON.stringify(received)}) is not what was imported (${JSON.stringify(sent)})`,
					]),
			...Object.entries(left).map(([table, count]) => `${at}: the deletion left ${count} in ${table}`),
			...steps.flatMap((step) => judgeStep(step).map((line) => `${at}: ${line}`)),
		];
	}),
	lines: moves.flatMap(({ sessionsIn, steps }) =>
		steps.map(
			({ step, usersPerSecond, others, memory }) =>
				`${step} with sessions in ${sessionsIn}: ${usersPerSecond} users a second, heap ${memory.firstQuarterMB} → ${memory.lastQuarterMB} MB and ${memory.mostMB} MB at most, another tenant's p99 ${others.session.p99Ratio} times (get-session) and ${others.signIn.p99Ratio} times (sign-in) the idle one`,
		),
	),
});

const judgeStep = ({ step, memory, others }: Step): string[] => [
	...(isFlat(memory)
		? []
		: [
				`memory grows during the ${step}, from ${memory.firstQuarterMB} to ${memory.mostMB} MB (goal: ${FLAT.times} times, or ${FLAT.plusMB} MB more)`,
			]),
	...(["signIn", "session"] as const).flatMap((kind) => {
		const { wrong, count, p99Ratio } = others[kind];
		const name = kind === "signIn" ? "sign-in" : "get-session";
		return [
			...(wrong > 0 ? [`${step}: ${wrong} of ${count} ${name} of another tenant failed`] : []),
			...(p99Ratio > MOST_RATIO && saysP99(others[kind])
				? [`${step}: another tenant's p99 of ${name} is ${p99Ratio} times the idle one (goal: ${MOST_RATIO})`]
				: []),
		];
	}),
];
