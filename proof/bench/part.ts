/** What a part saw: figures to keep, goals it missed, and lines for whoever watches. */
export type Outcome<Result extends object = object> = { result: Result; wrong: string[]; lines: string[] };

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
