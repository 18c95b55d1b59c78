import { describe, expect, it } from "vitest";
import { findUndocumented } from "./check-jsdoc.ts";
import { publicEntries, readSource } from "./public-docs.ts";

const EXAMPLE = "@example\n * ```ts\n * call();\n * ```";

const OPTIONS = `
/**
 * Options of the call.
 * ${EXAMPLE}
 */
export type CallOptions = {
	/**
	 * How often to retry.
	 * @default 3
	 */
	retries?: number;
	/** The address to call. */
	url: string;
};
`;

const CALL = `
import type { CallOptions } from "./options.ts";
/**
 * Calls the address.
 * ${EXAMPLE}
 */
export const call = (options: CallOptions): void => send(options);
`;

/** The problems of an entry that exports \`call\`, without the places where they are. */
const problemsOf = ({ call = CALL, options = OPTIONS }: { call?: string; options?: string }): string[] => {
	const files: Record<string, string> = {
		"index.ts": 'export { call } from "./call.ts";',
		"call.ts": call,
		"options.ts": options,
	};
	return findUndocumented(["index.ts"], (file) => files[file] ?? null).map((problem) =>
		problem.replace(/^[\w.-]+:\d+: /, ""),
	);
};

describe("a documented export", () => {
	it("has no problems", () => {
		expect(problemsOf({})).toEqual([]);
	});

	it("is complained about without a JSDoc sentence", () => {
		expect(problemsOf({ call: CALL.replace("Calls the address.", "") })).toEqual(["call has no JSDoc sentence."]);
		expect(problemsOf({ call: CALL.replace("Calls the address.", "Calls.") })).toEqual(["call has no JSDoc sentence."]);
	});

	it("is complained about without an example, if it is a function or a group of options", () => {
		expect(problemsOf({ call: CALL.replace(EXAMPLE, "") })).toEqual(["call has no @example."]);
		expect(problemsOf({ options: OPTIONS.replace(EXAMPLE, "") })).toEqual([
			"CallOptions has no @example.",
			"CallOptions.retries has no @example.",
			"CallOptions.url has no @example.",
		]);
	});

	it("is complained about with an example that does not parse", () => {
		const [broken] = problemsOf({ call: CALL.replace("call();", "call(;") });
		expect(broken).toMatch(/^call has an @example that is not TypeScript/);
		const [bare] = problemsOf({ call: CALL.replace("```ts\n", "\n") });
		expect(bare).toMatch(/^call has an @example that is not TypeScript/);
	});
});

describe("an option", () => {
	it("is complained about without a sentence or a default", () => {
		expect(problemsOf({ options: OPTIONS.replace("/** The address to call. */", "") })).toEqual([
			"CallOptions.url has no JSDoc sentence.",
		]);
		expect(problemsOf({ options: OPTIONS.replace("@default 3", "") })).toEqual([
			"CallOptions.retries is optional and has no @default. Say what happens without it.",
		]);
	});

	it("is checked in a nested group, and in a type of another file", () => {
		const nested = `
import type { InnerOptions } from "./inner.ts";
/**
 * Options of the call.
 * ${EXAMPLE}
 */
export type CallOptions = {
	/** How to wait. */
	inner?: InnerOptions;
	/**
	 * What to log.
	 * @default nothing
	 */
	log?: {
		level?: string;
	};
};`;
		const files: Record<string, string> = {
			"index.ts": 'export type { CallOptions } from "./options.ts";',
			"options.ts": nested,
			"inner.ts": "export type InnerOptions = {\n\twait?: number;\n};",
		};
		expect(findUndocumented(["index.ts"], (file) => files[file] ?? null)).toEqual([
			"inner.ts:1: InnerOptions has no JSDoc sentence.",
			"inner.ts:2: InnerOptions.wait has no JSDoc sentence.",
			"options.ts:18: CallOptions.log.level has no JSDoc sentence.",
		]);
	});
});

describe("the package", () => {
	it("has all its entries documented", () => {
		expect(publicEntries()).toContain("src/index.ts");
		expect(findUndocumented(publicEntries(), readSource)).toEqual([]);
	});

	it("is reported for each option whose `@default` is removed", () => {
		const without = (file: string) => readSource(file)?.replaceAll("@default", "") ?? null;
		const problems = findUndocumented(publicEntries(), without).join("\n");
		for (const option of ["HashingOptions.concurrency", "LimitsOptions.perUser", "ImpersonationOptions.maxAge"])
			expect(problems).toContain(`${option} is optional and has no @default`);
	});

	it("is reported for an export without documentation", () => {
		const planted = (file: string) =>
			file === "src/index.ts" ? `${readSource(file)}\nexport const planted = 1;` : readSource(file);
		expect(findUndocumented(["src/index.ts"], planted).join()).toContain("planted has no JSDoc sentence");
	});
});
