import type { Allocated } from "./result.ts";

export type FlowAllocations = { name: string; allocated: Allocated[] };

/**
 * How much more than recorded a side may allocate, relative to the engine alone. Relative, because another version of
 * Node changes the bytes of all sides alike. In twelve runs of three flows (a session check, a sign-in, a callback) on
 * two cores with a load of up to 26, the ratios of a flow were at most 0.42 % apart.
 */
export const MARGIN = 0.03;

/** Messages for each side of a flow that allocates more than in the recorded run. */
export const judgeAllocations = (
	{ name, allocated }: FlowAllocations,
	recorded: { flows: FlowAllocations[] } | undefined,
): string[] => {
	const known = recorded?.flows.find((flow) => flow.name === name)?.allocated ?? [];
	return allocated.flatMap(({ side }) => {
		const [now, then] = [relativeTo(allocated, side), relativeTo(known, side)];
		if (now === null || then === null)
			return [`${name}, ${side}: no recorded result to compare with; run pnpm bench --part allocations`];
		return now > then * (1 + MARGIN)
			? [
					`${name}, ${side}: allocates ${now.toFixed(3)} of the engine's bytes; it was ${then.toFixed(3)}, and ${MARGIN * 100} % more is allowed`,
				]
			: [];
	});
};

/** A flow in a line. */
export const describeAllocations = ({ name, allocated }: FlowAllocations): string =>
	`${name}: ${allocated.map(({ side, bytes }) => `${(bytes.median / 1024).toFixed(1)} KB ${side}`).join(", ")}`;

/** A side's bytes, relative to those of the engine alone. */
const relativeTo = (allocated: Allocated[], side: string): number | null => {
	const own = allocated.find((one) => one.side === side);
	const [first] = allocated;
	return own && first ? own.bytes.median / first.bytes.median : null;
};
