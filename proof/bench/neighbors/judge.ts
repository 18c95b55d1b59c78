import type { Outcome } from "test-kit/results/outcome";
import { saysP99 } from "../server/timing.ts";
import { type BurstResult, CONNECTIONS, type Connection } from "./burst.ts";
import type { LimitsResult } from "./limits.ts";
import type { NeighborsResult, VariantResult } from "./result.ts";
import type { Conditioned } from "./under-load.ts";

/** The maximum p99 of the others relative to idle. */
export const MOST_RATIO = 2;
/** The maximum duration of the health route. */
export const MOST_HEALTH_MS = 1_000;
/** The allowed responses to a request over capacity. */
const SHED = ["503 HASHING_BUSY", "503 TENANT_BUSY", "429"];

const KINDS = [
	["signIn", "sign-in"],
	["session", "get-session"],
] as const;

/** The missed goals, and the summary. */
export const judgeNeighbors = ({ variants, parallel, limits }: NeighborsResult): Omit<Outcome, "result"> => {
	const [usual, ...tried] = variants;
	return {
		wrong: [
			...(usual?.conditions.flatMap(judgeCondition) ?? []),
			...(usual?.bursts.flatMap((burst, index) => judgeBurst(burst, `burst ${index + 1} of ${parallel} sign-ins`)) ??
				[]),
			...judgeLimits(limits),
		],
		lines: [...(usual ? describe(usual, parallel) : []), ...tried.flatMap((variant) => describe(variant, parallel))],
	};
};

const describe = ({ name, conditions, bursts }: VariantResult, parallel: number): string[] => [
	...conditions
		.filter(({ times }) => times > 1)
		.map(
			(condition) =>
				`${name}, ${condition.name}: the others' p99 is ${condition.signIn.p99Ratio} times the idle one for ${condition.signIn.count} sign-ins and ${condition.session.p99Ratio} times for ${condition.session.count} get-session`,
		),
	`${name}, ${parallel} sign-ins at once: health in ${mostOf(bursts, "kept")} ms at most, on new connections in ${mostOf(bursts, "anew")} ms, on those to a port of its own in ${mostOf(bursts, "apart")} ms`,
];

const ON: Record<Connection, string> = {
	kept: "on a connection that was there",
	anew: "on a connection made for it", // cspell:ignore anew
	apart: "on a port of its own",
};

const mostOf = (bursts: BurstResult[], connection: Connection): number =>
	Math.max(...bursts.map(({ health }) => health[connection].mostMs));

const judgeCondition = ({ name, goal, signIn, session }: Conditioned): string[] =>
	KINDS.flatMap(([key, kind]) => {
		const seen = { signIn, session }[key];
		const failed = seen.wrong > 0 ? [`${name}: ${seen.wrong} of ${seen.count} ${kind} of the others failed`] : [];
		if (!goal) return [];
		if (seen.p99Ratio <= MOST_RATIO || !saysP99(seen)) return failed;
		return [
			...failed,
			`${name}: the others' p99 of ${kind} is ${seen.p99Ratio} times the idle one (goal: ${MOST_RATIO})`,
		];
	});

const judgeBurst = ({ outcomes, health, signIn, session }: BurstResult, at: string): string[] => {
	const unfit = Object.entries(outcomes).filter(([outcome]) => outcome !== "200" && !SHED.includes(outcome));
	const failed = signIn.wrong + session.wrong;
	return [
		...CONNECTIONS.flatMap((connection) => {
			const { mostMs, wrong } = health[connection];
			return mostMs >= MOST_HEALTH_MS || wrong > 0
				? [`${at}: health took ${mostMs} ms ${ON[connection]} (goal: below ${MOST_HEALTH_MS}), ${wrong} failed`]
				: [];
		}),
		...unfit.map(([outcome, count]) => `${at}: ${count} were answered ${outcome}`),
		...(failed > 0 ? [`${at}: ${failed} requests of other tenants failed`] : []),
	];
};

const judgeLimits = ({ cases }: LimitsResult): string[] =>
	cases.flatMap(({ countedBy, addresses, loud, neighbour: neighbor }) => {
		const at = `limits by ${countedBy}, addresses: ${addresses}`;
		return [
			...(loud.refused === 0 ? [`${at}: nothing was refused`] : []),
			// Better Auth's limit does not know tenants; ours must
			...(countedBy === "tenant" && neighbor.refused > 0
				? [
						`${at}: ${neighbor.refused} of ${neighbor.sent} of the second tenant were refused because of the loud tenant`,
					]
				: []),
		];
	});

export const showOutcomes = (outcomes: Record<string, number>): string =>
	Object.entries(outcomes)
		.map(([outcome, count]) => `${count} × ${outcome}`)
		.join(", ");
