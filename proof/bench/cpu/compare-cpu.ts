import type { Flow } from "../stage/flows.ts";
import { takeTurns, type Volley } from "../stage/rounds.ts";
import type { Cpu } from "./result.ts";
import { SIDES, type SideName } from "./sides.ts";
import type { RunningSides } from "./start-sides.ts";
import { summarizeRounds } from "./summarize-rounds.ts";
import type { Spent } from "./undisturbed.ts";

/** Rounds that are not counted. V8 compiles in other threads for some hundred requests, and that is CPU time, too. */
const WARM_UPS = 3;
/** The numbers of requests start here, so that those of each comparison are new. */
const FIRST = 10_000_000;

type Load = { parallel: number; rounds: number };

/** The CPU time per request of all sides, in turns. */
export const compareCpu = async (sides: RunningSides, flow: Flow, { parallel, rounds }: Load): Promise<Cpu[]> => {
	const { name, volleys, requests } = flow;
	const of =
		(side: SideName): Volley<Spent> =>
		(first, count) =>
			sides[side].call("spend", { flow: name, first, count, parallel });
	const volleysOf = Object.fromEntries(SIDES.map((side) => [side.name, of(side.name)])) as Record<
		SideName,
		Volley<Spent>
	>;
	const taken = await takeTurns(volleysOf, { rounds, warmUps: WARM_UPS, volleys, requests, from: parallel * FIRST });
	const summaries = summarizeRounds(
		taken.map((round) => SIDES.map((side) => add(round[side.name]))),
		volleys * requests,
	);
	return SIDES.map(({ name: side }, at) => {
		const summary = summaries[at];
		if (!summary) throw new Error(`${name} was not measured`);
		return { side, ...summary };
	});
};

const add = (volleys: Spent[]): Spent => ({
	process: volleys.reduce((sum, { process }) => sum + process, 0),
	thread: volleys.reduce((sum, { thread }) => sum + thread, 0),
});
