export type Seeded = ReturnType<typeof seeded>;

/** A random source with a seed (mulberry32). */
export const seeded = (seed: number) => {
	let state = seed >>> 0;
	const fraction = (): number => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	return {
		fraction,
		/** an integer, both ends included */
		whole: (least: number, most: number): number => least + Math.floor(fraction() * (most - least + 1)),
	};
};
