import type { Spread } from "../stage/statistics.ts";
import type { FlowName } from "./flows.ts";
import { PATCHES, type PatchName } from "./patches.ts";
import type { SetupName } from "./setups.ts";

/** Better Auth as published, with each patch alone, and with all of them. */
export const SIDES = ["published", ...PATCHES, "all"] as const;
export type SideName = (typeof SIDES)[number];

export const patchesOf = (side: SideName): readonly PatchName[] => {
	if (side === "published") return [];
	return side === "all" ? PATCHES : [side];
};

export type MeasuredSide = {
	/** microseconds of processor time per request, per round */
	cpu: Spread;
	/** per round: the processor time as published, divided by its own */
	ratio: Spread;
};

export type MeasuredFlow = { setup: SetupName; flow: FlowName; sides: Record<SideName, MeasuredSide> };

export type UpstreamResult = {
	engine: string;
	rounds: number;
	requests: number;
	parallel: number;
	endpoints: Record<SetupName, number>;
	flows: MeasuredFlow[];
};
