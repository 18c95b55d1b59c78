import { type Spread, spreadOf } from "../stage/statistics.ts";

export type Starts<Side extends string> = {
	/** from the start until the step is reached */
	ms: Record<Side, Spread>;
	/** per round: ours relative to Better Auth alone, and the difference */
	ratio: Spread;
	addedMs: Spread;
};

type Compared = "bare" | "ours";
type Start<Side, Step extends string> = (side: Side) => Promise<Record<Step, number>>;

/** Starts the sides in turns, and compares when each step is reached. The order changes each round. */
export const compareStarts = async <Side extends string, Step extends string>(
	sides: readonly (Side | Compared)[],
	steps: readonly Step[],
	rounds: number,
	start: Start<Side | Compared, Step>,
): Promise<Record<Step, Starts<Side | Compared>>> => {
	const seen = new Map<string, Record<Step, number>[]>(sides.map((side) => [side, []]));
	// the first round fills the machine's caches
	for (let round = 0; round <= rounds; round += 1) {
		const begins = round % sides.length;
		for (const side of [...sides.slice(begins), ...sides.slice(0, begins)]) {
			const reached = await start(side);
			if (round > 0) seen.get(side)?.push(reached);
		}
	}
	const timesOf = (side: string, step: Step): number[] => (seen.get(side) ?? []).map((reached) => reached[step]);
	return record(steps, (step) => {
		const bare = timesOf("bare", step);
		const pairs = timesOf("ours", step).map((ours, round) => ({ ours, bare: bare[round] ?? Number.NaN }));
		return {
			ms: record(sides, (side) => spreadOf(timesOf(side, step), 1)),
			ratio: spreadOf(
				pairs.map(({ ours, bare }) => ours / bare),
				3,
			),
			addedMs: spreadOf(
				pairs.map(({ ours, bare }) => ours - bare),
				1,
			),
		};
	});
};

const record = <Key extends string, Value>(keys: readonly Key[], make: (key: Key) => Value): Record<Key, Value> =>
	Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
