import { median } from "../stage/statistics.ts";

/** Microseconds of CPU: of all threads, and of the main thread. */
export type Spent = { process: number; thread: number };

/** What each side took, in the order of the sides. */
export type Round = Spent[];

/**
 * The half of the rounds that other load disturbed least. CPU time leaves out waiting for a core, but other processes
 * also empty caches and share a core's units, which only ever adds time. A round is as disturbed as its most disturbed
 * side, each compared with its own median, so that no side is preferred. Halves are chosen instead of the fastest turns
 * of each side: those would leave out the garbage collections of whoever collects less often.
 */
export const undisturbedRounds = (rounds: Round[]): Round[] => {
	const usual = (rounds[0] ?? []).map((_, side) => median(rounds.map((round) => round[side]?.process ?? 0)));
	const disturbance = (round: Round): number =>
		Math.max(...round.map(({ process }, side) => process / (usual[side] || 1)));
	return rounds.toSorted((one, other) => disturbance(one) - disturbance(other)).slice(0, Math.ceil(rounds.length / 2));
};
