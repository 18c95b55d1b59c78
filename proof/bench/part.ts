import type { Outcome } from "test-kit/results/outcome";

export type RunOptions = {
	/** the sizes of the documents; otherwise those of some minutes */
	full: boolean;
	log: (line: string) => void;
};

export type Part = {
	name: string;
	sentence: string;
	/** what CI runs in its place: what a change may break without anybody noticing, whatever the machine's speed */
	guard?: () => Promise<Outcome>;
	run: (options: RunOptions) => Promise<Outcome>;
};
