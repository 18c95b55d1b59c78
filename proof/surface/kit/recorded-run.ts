import { alignedTable } from "test-kit/results/recorded-run";
import { type Recorded, resultsIn } from "test-kit/results/results-in";
import { showCount } from "test-kit/results/show-count";

/** One run of the isolation test. */
export type KitRun = {
	configuration: string;
	endpoints: number;
	/** endpoints that served their own tenant */
	reached: number;
	calls: number;
	leaks: number;
	cpuSeconds: number;
	seconds: number;
	/** lines on standard output and standard error */
	linesPrinted: number;
};
export type KitRuns = { runs: KitRun[]; planted: { mistake: string; found: string }[] };

export const kitResults = resultsIn(new URL("./results/", import.meta.url));
export const RESULTS = "isolation-test";
export const PAGE = new URL("../../../docs/testing.md", import.meta.url);

/** The part of docs/testing.md that is written from the recorded run. */
const recordedSection = ({ runs, planted, at, machine }: Recorded<KitRuns>): string =>
	[
		alignedTable(
			["Configuration", "Endpoints", "Reached", "Calls", "Leaks", "CPU time", "Time"],
			runs.map(({ configuration, endpoints, reached, calls, leaks, cpuSeconds, seconds }) => [
				configuration,
				endpoints,
				reached,
				showCount(calls),
				leaks,
				`${Math.round(cpuSeconds)} s`,
				`${Math.round(seconds)} s`,
			]),
		),
		"",
		`Recorded on ${at.slice(0, 10)} with Node ${machine.node.slice(1)}, SQLite and ${machine.cores} cores.`,
		`[The record](../proof/surface/kit/results/${RESULTS}.json) also has the ${planted.length} mistakes that were planted in the guide's configuration, and`,
		"what the test said about each.",
	].join("\n");

const MARKS = /(<!-- isolation-test -->\n\n)[\s\S]*?(\n\n<!-- \/isolation-test -->)/;

/** Puts the recorded run into the page. */
export const withRecordedRun = (page: string, recorded: Recorded<KitRuns>): string => {
	if (!MARKS.test(page)) throw new Error("docs/testing.md has no place for the recorded run. Add its two comments.");
	return page.replace(MARKS, (_, begin: string, end: string) => begin + recordedSection(recorded) + end);
};
