import { relative } from "node:path";
import type { Plugin } from "vitest/config";
import { SOURCE, type Statement, statementsIn } from "./find-statements.ts";

/** Lets a test run remove any statement in memory. No file changes. */
export const removable = (): Plugin => ({
	name: "removable-statements",
	enforce: "pre",
	transform: (source, id) =>
		id.startsWith(SOURCE) ? { code: makeRemovable(relative(SOURCE, id), source), map: null } : null,
});

/** Adds no line, so that errors name the right one. */
export const makeRemovable = (file: string, source: string): string => {
	const inserted = statementsIn(file, source).flatMap((statement) => {
		const [before, after] = around(statement);
		return [
			{ at: statement.start, text: before },
			{ at: statement.end, text: after },
		];
	});
	let from = 0;
	const parts: string[] = [];
	for (const { at, text } of inserted.sort((one, other) => one.at - other.at)) {
		parts.push(source.slice(from, at), text);
		from = at;
	}
	return [...parts, source.slice(from)].join("");
};

/** A block, so that an else keeps its if. The watch is missing where no test runs, such as in a global setup. */
const around = ({ id, kind }: Statement): [string, string] => {
	const begin = `{ if (globalThis.watchStatements?.runs("${id}") ?? true)`;
	if (kind === "throw") return [`${begin} `, " }"];
	return [`${begin} try { `, ` } catch (error) { globalThis.watchStatements?.threw("${id}"); throw error; } }`];
};
