import type { Outcome } from "test-kit/results/outcome";

export type RunOptions = {
	/** the sizes of the documents, instead of a few minutes */
	full: boolean;
	log: (line: string) => void;
};

export type Part = {
	name: string;
	sentence: string;
	/** what CI runs instead: regressions that do not depend on the machine's speed */
	guard?: () => Promise<Outcome>;
	/** whose microseconds a flow's requests take, as lines */
	profile?: (flow: string) => Promise<string[]>;
	run: (options: RunOptions) => Promise<Outcome>;
};
