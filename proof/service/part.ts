import type { Outcome } from "test-kit/results/outcome";

export type RunOptions = { full: boolean; log: (line: string) => void };

export type Part = {
	name: string;
	sentence: string;
	run: (options: RunOptions) => Promise<Outcome>;
};
