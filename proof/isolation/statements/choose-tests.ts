import type { Statement } from "./find-statements.ts";
import type { Reaches } from "./reach.ts";

export type Chosen = {
	file: string /** with the separator before it, as vitest joins names */;
	test: string;
	threw: boolean;
	ms: number;
};

/** The tests that reach a statement: those in which it threw first, then those of its folder, then the fastest. */
export const chooseTests = ({ id, kind, file }: Statement, reaches: Reaches): Chosen[] => {
	const folder = `test/${testFolderOf(file)}/`;
	const order = (one: Chosen): number => (one.threw ? 0 : 2) + (one.file.startsWith(folder) ? 0 : 1);
	return [...reaches]
		.flatMap(([path, { shared, tests }]) =>
			Object.entries(tests).flatMap(([test, { ms, reached }]) => {
				const threw = reached[id] ?? shared[id];
				return threw === undefined ? [] : [{ file: path, test, threw: threw || kind === "throw", ms }];
			}),
		)
		.sort((one, other) => order(one) - order(other) || one.ms - other.ms);
};

/** The tests of a feature stand in a folder of its name, and those of the scope in one. */
const testFolderOf = (file: string): string => {
	const [floor = "", folder = ""] = file.split("/");
	return floor === "features" || floor === "load" ? folder : floor;
};
