/** What a part saw: figures to keep, goals it missed, and lines for whoever watches. */
export type Outcome<Result extends object = object> = { result: Result; wrong: string[]; lines: string[] };

export type RunOptions = {
	/** the sizes of the documents; otherwise those of some minutes */
	full: boolean;
	/** only what a change may break without anybody noticing, in a minute: what CI runs */
	guard: boolean;
	log: (line: string) => void;
};

export type Part = {
	name: string;
	sentence: string;
	/** takes part in the guard of CI */
	guards: boolean;
	run: (options: RunOptions) => Promise<Outcome>;
};
