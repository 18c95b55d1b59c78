/** What a part of a run saw: figures to keep, what went wrong, and lines for whoever watches. */
export type Outcome<Result extends object = object> = { result: Result; wrong: string[]; lines: string[] };
