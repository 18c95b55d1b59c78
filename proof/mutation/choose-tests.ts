import { basename } from "node:path";
import type { Reaches } from "./reach.ts";

/** How many seconds of tests a source file faces in each round. What the last round leaves faces the rest. */
const ROUNDS = [15, 60];

/** The test files that reach a source file, in rounds: the nearest and the fastest first. */
export const chooseTests = (source: string, reaches: Reaches): string[][] => {
	const folder = `test/${source.split("/")[0]}/`;
	const name = basename(source, ".ts");
	const far = (test: string): number => (basename(test).startsWith(`${name}.`) ? 0 : test.startsWith(folder) ? 1 : 2);
	const waiting = Object.entries(reaches)
		.filter(([, { sources }]) => sources[source])
		.sort(([one, a], [other, b]) => far(one) - far(other) || a.ms - b.ms);
	const rounds: string[][] = [];
	for (const seconds of [...ROUNDS, Number.POSITIVE_INFINITY]) {
		let left = seconds * 1000;
		const round: string[] = [];
		while (waiting[0] && (round.length === 0 || left >= waiting[0][1].ms)) {
			left -= waiting[0][1].ms;
			round.push(waiting[0][0]);
			waiting.shift();
		}
		if (round.length > 0) rounds.push(round);
	}
	return rounds;
};
