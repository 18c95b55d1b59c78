import type { CpuFlow } from "./result.ts";

/** Messages for a flow that takes more CPU time than its goal allows, on the side that is judged. */
export const judgeFlow = ({ name, goal, atOnce }: Pick<CpuFlow, "name" | "goal" | "atOnce">): string[] =>
	atOnce.flatMap(({ parallel, sides }) => {
		const judged = sides.at(-1);
		if (!judged) return [`${name}, ${parallel} at once: not measured`];
		const { median } = judged.ratio;
		return median < goal
			? [
					`${name}, ${parallel} at once: ${median.toFixed(3)} of the engine's speed by CPU time; ${goal.toFixed(2)} is the goal`,
				]
			: [];
	});
