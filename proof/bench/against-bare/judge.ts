import type { MeasuredFlow } from "./result.ts";

/** Messages for a flow that is too slow or sends too many statements: none more when warm, one more when cold. */
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
