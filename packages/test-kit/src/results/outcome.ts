/** The outcome of a part of a run: values to record, failures, and lines to print. */
export type Outcome<Result extends object = object> = { result: Result; wrong: string[]; lines: string[] };
