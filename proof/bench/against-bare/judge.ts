import type { AgainstBareResult, MeasuredFlow } from "./result.ts";

/** Sentences for a flow that is slower, or sends more statements, than it may: none more when warm, one more when cold. */
export const judgeFlow = ({ name, goal, compared, statements: { warm, cold } }: MeasuredFlow): string[] => {
	const { median } = compared.tenants.ratio;
	const endpoints = compared.endpoints.ratio.median.toFixed(2);
	return [
		...(median < goal
			? [
					`${name}: ${median.toFixed(2)} of the engine's speed; ${goal.toFixed(2)} is the goal, ${endpoints} the endpoints alone`,
				]
			: []),
		...(warm.tenants > warm.bare
			? [`${name}: ${warm.tenants} statements when warm, ${warm.bare} without tenants; none more is the goal`]
			: []),
		...(cold > warm.bare + 1
			? [`${name}: ${cold} statements when cold, ${warm.bare} without tenants; one more is the goal`]
			: []),
	];
};

/** Below this a change has made something a great deal slower; a busy machine's noise stays above it. */
const COARSE_RATIO = 0.5;

export const isCoarselySlow = ({ tenants }: MeasuredFlow["compared"]): boolean => tenants.ratio.median < COARSE_RATIO;

/** Sentences for a flow that a change has made worse than the committed result says it is. */
export const judgeRegression = (
	{ name, compared, statements: { warm, cold } }: MeasuredFlow,
	recorded: AgainstBareResult | undefined,
): string[] => {
	const known = recorded?.flows.find((flow) => flow.name === name)?.statements;
	if (!known) return [`${name}: no committed result to compare with; run pnpm bench --part against-bare`];
	const { median } = compared.tenants.ratio;
	return [
		...(isCoarselySlow(compared)
			? [`${name}: ${median.toFixed(2)} of the engine's speed; the guard is at ${COARSE_RATIO}`]
			: []),
		...(warm.tenants > known.warm.tenants
			? [`${name}: ${warm.tenants} statements when warm; they were ${known.warm.tenants}`]
			: []),
		...(cold > known.cold ? [`${name}: ${cold} statements when cold; they were ${known.cold}`] : []),
	];
};
