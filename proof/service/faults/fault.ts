import type { Counted } from "./counted.ts";
import type { Stage } from "./stage.ts";

/** What was seen while a fault lasted and after it. */
export type Seen = {
	/** in one sentence, from what was observed */
	outcome: string;
	/** acknowledged changes, sessions or mails that are gone */
	lost: number;
	/** those of a load, besides the requests that the stage counts */
	load?: Counted;
	/** what should not have happened */
	wrong: string[];
};

/** Something that goes wrong around the service. */
export type Fault = { name: string; run: (stage: Stage) => Promise<Seen> };

/** Collects what should not have happened. */
export const createJudge = () => {
	const wrong: string[] = [];
	return {
		wrong,
		equal: (what: string, seen: unknown, expected: unknown): void => {
			if (JSON.stringify(seen) !== JSON.stringify(expected))
				wrong.push(`${what}: ${JSON.stringify(seen)} instead of ${JSON.stringify(expected)}`);
		},
	};
};
