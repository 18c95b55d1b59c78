import { median, round, type Spread, spreadOf } from "../stage/statistics.ts";
import { type Round, type Spent, undisturbedRounds } from "./undisturbed.ts";

type Summary = { us: Spread; mainThreadUs: number; ratio: Spread };

/** The CPU time per request of each side in undisturbed rounds, each with this many requests. */
export const summarizeRounds = (rounds: Round[], requests: number): Summary[] => {
	if (rounds.some((of) => of.length !== rounds[0]?.length)) throw new Error("a side is missing in a round");
	const kept = undisturbedRounds(rounds);
	const [first = []] = kept;
	return first.map((_, side) => {
		const own = kept.map((of) => spentOf(of, side));
		const ratios = kept.map((of) => spentOf(of, 0).process / spentOf(of, side).process);
		return {
			us: spreadOf(
				own.map(({ process }) => process / requests),
				1,
			),
			mainThreadUs: round(median(own.map(({ thread }) => thread / requests)), 1),
			ratio: spreadOf(ratios, 4),
		};
	});
};

const spentOf = (of: Round, side: number): Spent => {
	const spent = of[side];
	if (!spent) throw new Error("a side is missing in a round");
	return spent;
};
