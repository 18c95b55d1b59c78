import { globSync, readFileSync } from "node:fs";
import { check } from "recheck";
import { collectExpressions } from "./collect-expressions.ts";

const ROOT = new URL("../", import.meta.url);
const CHECKED = ["packages/tenants/src/**/*.ts", "apps/*/src/**/*.ts"];

/** No verdict by the clock: the checker's other bounds count steps. */
const BOUNDS = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

/** Without a quantifier that repeats, an expression looks at so many characters at most. */
const REPEATS = /[*+{]/;

/** Finds the regular expressions of a file that take more than linear time, or of which nobody can tell. */
const findSlowExpressions = async (file: string, text: string): Promise<string[]> => {
	const { expressions, unreadable } = collectExpressions(file, text);
	const problems = unreadable.map(
		({ line, text }) =>
			`${file}:${line}: ${text} is put together when the code runs, so nobody can tell how long it takes. Use string functions, or constants of the same file.`,
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
	if (result.status === "unknown") return `cannot be checked (${result.error.kind}). Write it more simply.`;
	return `takes ${result.complexity.summary} time, for example on ${result.attack.pattern}. Use string functions, or match each run of characters as a whole.`;
};

/**
 * Fails where a regular expression of the package or the service takes more than linear time (ReDoS): most of them run on what
 * callers send, before any limit. Part of `pnpm lint`; with names of files, only those are checked.
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
	// the checker's own process would keep this one alive
	process.exit(found > 0 ? 1 : 0);
};

if (import.meta.main) await main(process.argv.slice(2));
