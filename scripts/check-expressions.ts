import { globSync, readFileSync } from "node:fs";
import { check } from "recheck";
import { collectExpressions } from "./collect-expressions.ts";

const ROOT = new URL("../", import.meta.url);
const CHECKED = ["packages/tenants/src/**/*.ts", "apps/*/src/**/*.ts"];

/** No time limit: the checker's other limits count steps. */
const BOUNDS = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

/** Without a repeating quantifier, an expression reads a bounded number of characters. */
const REPEATS = /[*+{]/;

/** Finds the regular expressions of a file that take more than linear time or cannot be checked. */
const findSlowExpressions = async (file: string, text: string): Promise<string[]> => {
	const { expressions, unreadable } = collectExpressions(file, text);
	const problems = unreadable.map(
		({ line, text }) =>
			`${file}:${line}: ${text} is built at run time and cannot be checked. Use string functions, or constants of the same file.`,
	);
	for (const { line, source, flags } of expressions) {
		const problem = REPEATS.test(source) ? await judge(source, flags) : null;
		if (problem) problems.push(`${file}:${line}: /${source}/${flags} ${problem}`);
	}
	return problems;
};

const judge = async (source: string, flags: string): Promise<string | null> => {
	const result = await check(source, flags, BOUNDS);
	if (result.status === "safe") return null;
	if (result.status === "unknown") return `cannot be checked (${result.error.kind}). Simplify it.`;
	return `takes ${result.complexity.summary} time, for example on ${result.attack.pattern}. Use string functions, or match each run of characters as a whole.`;
};

/**
 * Fails if a regular expression of the package or the server takes more than linear time (ReDoS): most of them run on
 * caller input, before any limit. Part of `pnpm lint`. Given file names, it checks only those.
 */
const main = async (given: string[]): Promise<void> => {
	const files = given.length > 0 ? given : CHECKED.flatMap((pattern) => globSync(pattern, { cwd: ROOT.pathname }));
	let found = 0;
	for (const file of files.toSorted()) {
		for (const problem of await findSlowExpressions(file, readFileSync(new URL(file, ROOT), "utf8"))) {
			console.error(problem);
			found += 1;
		}
	}
	console.log(`Checked the regular expressions of ${files.length} files: ${found} are not linear.`);
	// the checker's process would keep this one alive
	process.exit(found > 0 ? 1 : 0);
};

if (import.meta.main) await main(process.argv.slice(2));
