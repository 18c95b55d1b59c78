import type { Outcome } from "test-kit/results/outcome";

export type RunOptions = {
	/** how many of what the part counts in */
	size: number;
	seed: number;
	tenants: number;
	/** with or without Redis only; both where it is absent */
	redis: boolean | undefined;
	/** these mutants or statements; all where it is absent */
	only: string[] | undefined;
	/** repeats one round of the part "rights" */
	replay: { store: string; round: number } | undefined;
	/** the mutants without a recorded outcome */
	unrecorded: boolean;
	/** folders of the sources; all where there are none */
	under: string[];
	/** holds times to their limits, too: full runs, alone on a machine */
	byTime: boolean;
	log: (line: string) => void;
};

export type Part = {
	name: string;
	sentence: string;
	/** its number in CI; 0: left out there, because its verdict is about time or takes too long */
	short: number;
	full: number;
	/** a part that does not look for something new each time: the same attacks for everything that it compares */
	seed?: number;
	run: (options: RunOptions) => Promise<Outcome>;
};
