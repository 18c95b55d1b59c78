/** What a part of the run saw: figures to keep, what went wrong, and lines for whoever watches. */
export type Outcome<Result extends object> = { result: Result; wrong: string[]; lines: string[] };

export type RunOptions = { full: boolean; log: (line: string) => void };

export type Part = {
	name: string;
	sentence: string;
	run: (options: RunOptions) => Promise<Outcome<object>>;
};
