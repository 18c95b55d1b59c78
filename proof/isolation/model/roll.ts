/** Makes decisions from one generated operation's number: the same number gives the same decisions. */
export type Roll = {
	/** 0 to below `sides` */
	below: (sides: number) => number;
	/** true in `percent` of a hundred */
	chance: (percent: number) => boolean;
	/** one of them; undefined if there are none */
	pick: <Value>(values: readonly Value[]) => Value | undefined;
	oneOf: <Value>(values: readonly [Value, ...Value[]]) => Value;
};

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
