import { readFileSync } from "node:fs";
import { join } from "node:path";

const RESULTS = join(process.cwd(), "../../proof");

type Recorded = {
	surface: { endpoints: unknown[]; calls: number; leaks: number };
	model: { size: number; wrong: string[] };
	mutants: { result: { total: number; caught: number } };
};

/** Reads a recorded run. Pages show its figures, so a figure changes only with a run. */
const read = <Name extends keyof Recorded>(name: Name): Recorded[Name] =>
	JSON.parse(readFileSync(join(RESULTS, `isolation/results/${name}.json`), "utf8"));

const count = (value: number): string => value.toLocaleString("en-US");

/** The figures of the landing page. */
export const figures = () => {
	const { surface, model, mutants } = { surface: read("surface"), model: read("model"), mutants: read("mutants") };
	return {
		endpoints: count(surface.endpoints.length),
		calls: count(surface.calls),
		leaks: count(surface.leaks),
		operations: count(model.size),
		findings: count(model.wrong.length),
		mutants: `${count(mutants.result.caught)} of ${count(mutants.result.total)}`,
	};
};
