import type { Sample } from "../server/open-loop.ts";
import { type Timing, timingOf } from "../server/timing.ts";
import { round } from "../stage/statistics.ts";
import type { Pause } from "./watch-memory.ts";

/** The other tenant's figures. */
export type Others = { signIn: Timing; session: Timing };
/** The same, compared with the idle figures of the run. */
export type Compared = Record<"signIn" | "session", Timing & { medianRatio: number; p99Ratio: number }>;

/** The other tenant's figures, without requests during memory measurements. */
export const countedSamples = (samples: Sample[], pauses: Pause[]): Sample[] =>
	samples.filter(({ due, answered }) => !pauses.some(({ from, to }) => due < to && answered > from));

export const othersOf = (samples: Sample[]): Others => ({
	signIn: timingOf(samples.filter(({ stream }) => stream === "sign-in")),
	session: timingOf(samples.filter(({ stream }) => stream === "get-session")),
});

export const compareOthers = (seen: Others, idle: Others): Compared => {
	const compare = (kind: keyof Others) => ({
		...seen[kind],
		medianRatio: round(seen[kind].medianMs / idle[kind].medianMs, 2),
		p99Ratio: round(seen[kind].p99Ms / idle[kind].p99Ms, 2),
	});
	return { signIn: compare("signIn"), session: compare("session") };
};
