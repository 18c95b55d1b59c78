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
	run: (options: RunOptions) => Promise<Outcome>;
};
