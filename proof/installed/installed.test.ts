import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { countOthers, isOurs, parseErrors } from "./compile-errors.ts";
import { MATRIX, nameOf, SCRIPT_MATRIX, SHORT_MATRIX } from "./matrix.ts";
import { snippetFiles, startPages } from "./pages.ts";

type Manifest = { name: string; publishConfig: { exports: Record<string, unknown> } };

const consumer = (file: string): URL => new URL(`./consumer/${file}`, import.meta.url);

/** The published entries, and the file of a user that imports each. */
const ENTRIES = ["tenants", "react"].flatMap((folder) => {
	const file = new URL(`../../packages/${folder}/package.json`, import.meta.url);
	const { name, publishConfig }: Manifest = JSON.parse(readFileSync(file, "utf8"));
	return Object.keys(publishConfig.exports)
		.filter((entry) => entry !== "./package.json")
		.map((entry) => ({ entry: entry.replace(/^\./, name), user: userOf(folder, entry) }));
});

function userOf(folder: string, entry: string): string {
	if (folder === "react") return "react.tsx";
	return entry === "." ? "index.ts" : `${entry.slice("./".length)}.ts`;
}

describe("the code of users", () => {
	it.each(ENTRIES)("imports $entry in $user", ({ entry, user }) => {
		expect(existsSync(consumer(user))).toBe(true);
		expect(readFileSync(consumer(user), "utf8")).toContain(`from "${entry}"`);
	});

	it.each(ENTRIES)("expects errors in $user, so that a type that accepts everything fails", ({ user }) => {
		expect(readFileSync(consumer(user), "utf8")).toMatch(/@ts-expect-error|same</);
	});

	it("uses every client plugin alone and together", () => {
		const plugins = readFileSync(new URL("../../packages/tenants/src/client.ts", import.meta.url), "utf8").match(
			/\btenant\w*Client(?= }| = <)/g,
		);
		const text = readFileSync(consumer("client.ts"), "utf8");
		expect(plugins).toHaveLength(5);
		for (const plugin of plugins ?? []) expect(text).toContain(`createAuthClient({ plugins: [${plugin}()] })`);
	});

	it("has the code of the READMEs, the guide and every start page", () => {
		const pages = Object.keys(snippetFiles()).map((name) => name.replace(/-\d+\.tsx?$/, ""));
		for (const page of ["README-md", "packages-tenants-README-md", "packages-react-README-md", "docs-guides-b2b-md"])
			expect(pages).toContain(page);
		for (const { files } of startPages()) expect(Object.keys(files).length).toBeGreaterThan(1);
	});
});

describe("the matrix", () => {
	it("has 24 different settings, and six for JavaScript", () => {
		expect(new Set(MATRIX.map(nameOf)).size).toBe(24);
		expect(SCRIPT_MATRIX).toHaveLength(6);
	});

	it("has, for each setting, one by day that checks as many files", () => {
		expect(MATRIX.map((setting) => ({ ...setting, skipLibCheck: false }))).toEqual(
			MATRIX.map((setting) => SHORT_MATRIX.find((one) => nameOf(one) === nameOf({ ...setting, skipLibCheck: false }))),
		);
	});
});

describe("an error", () => {
	const printed = [
		"consumer/client.ts(4,47): error TS2322: Type '{ id: string }' is not assignable.",
		"  Types of property 'getActions' are incompatible.",
		"node_modules/better-auth-tenants/dist/client.d.ts(1,2): error TS2307: Cannot find module 'x'.",
		"control-0/node_modules/better-auth-tenants/dist/client.d.ts(1,2): error TS2307: Cannot find module 'x'.",
		"node_modules/@better-auth/core/dist/index.d.mts(3,4): error TS2307: Cannot find module 'y'.",
		"node_modules/vue/node_modules/csstype/index.d.ts(3,4): error TS1: Anything.",
		"error TS5023: Unknown compiler option 'x'.",
		"",
	].join("\n");

	it("has the package of its file as owner", () => {
		expect(parseErrors(printed).map(({ owner }) => owner)).toEqual([
			"application",
			"better-auth-tenants",
			"better-auth-tenants",
			"@better-auth/core",
			"csstype",
			"options",
		]);
	});

	it("counts unless it is in a file of others", () => {
		const errors = parseErrors(printed);
		expect(errors.filter(isOurs)).toHaveLength(4);
		expect(countOthers(errors)).toEqual({ "@better-auth/core": 1, csstype: 1 });
	});

	it("that cannot be read throws", () => {
		expect(() => parseErrors("Segmentation fault")).toThrow("Segmentation fault");
	});
});
