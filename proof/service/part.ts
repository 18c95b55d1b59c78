import type { Outcome } from "test-kit/results/outcome";

export type RunOptions = {
	full: boolean;
	/** the earlier version for `versions`, as git names it */
	ref?: string | undefined;
	log: (line: string) => void;
};

export type Part = {
	name: string;
	sentence: string;
	/** true: a measurement or a long run, left out of CI; runs by name, with `--full` and every night */
	atNight?: boolean;
	run: (options: RunOptions) => Promise<Outcome>;
};
