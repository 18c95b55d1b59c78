import type { Answer, Request } from "./http.ts";
import type { Model, Tenant } from "./state.ts";

/** Decides with the numbers of one generated operation: the same numbers, the same decisions. */
export type Roll = {
	/** 0 to below `sides` */
	below: (sides: number) => number;
	/** true in `percent` of a hundred */
	chance: (percent: number) => boolean;
	/** one of them; undefined where there is none */
	pick: <Value>(values: readonly Value[]) => Value | undefined;
	oneOf: <Value>(values: readonly [Value, ...Value[]]) => Value;
};

/** One operation, ready to be sent: who does what, and what has to come of it. */
export type Step = {
	name: string;
	request: Request;
	/** whose data the answer may show; "all" for an operator's view of every tenant */
	scope: Tenant | "all";
	/** whose rows it may change; the scope's unless said otherwise */
	mayChange?: Tenant[];
	/** an artefact of this other tenant is replayed */
	foreign?: boolean;
	/** what it needs for itself: no two operations under way share one of these */
	claims: string[];
	/** nothing else may be under way */
	alone?: boolean;
	/** what is wrong with the answer; null where the model agrees */
	check: (answer: Answer) => string | null;
	/** what the model learns from an answer that it agrees with */
	settle?: (answer: Answer) => void | Promise<void>;
	/** what was left behind that has to be gone; asked after the model has learnt */
	leftovers?: () => Promise<string[]>;
};

/** Makes a step out of what the model knows; null where it does not fit the moment. */
export type Plan = (model: Model, roll: Roll) => Step | null;

/** mulberry32: small, fast, and the same everywhere. */
export const rollWith = (seed: number): Roll => {
	let state = seed | 0;
	const next = (): number => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
	const below = (sides: number) => Math.floor(next() * sides);
	return {
		below,
		chance: (percent) => next() * 100 < percent,
		pick: (values) => values[below(values.length)],
		oneOf: (values) => values[below(values.length)] ?? values[0],
	};
};
