import { describe, expect, it } from "vitest";
import { checkSnippets, readPages } from "./check-snippets.ts";
import { SIGNATURE } from "./reference/markdown.ts";

const fenced = (language: string, ...code: string[]): string =>
	["# A page", "", `\`\`\`${language}`, ...code, "```", ""].join("\n");

const PLANTED = {
	"fragment.md": fenced("ts", "tenantAuth({ management: { keys, audit } });"),
	"type.md": fenced("ts", "", "tenantAuth({ management: { keys: [process.env.MANAGEMENT_KEY] } });"),
	"option.md": fenced("ts", 'tenantAuth({ resolveTenant: fromSubdomain({ domain: "localhost" }) });'),
	"export.md": fenced("ts", 'import { noSuchExport } from "better-auth-tenants";', "noSuchExport();"),
	"import.md": fenced(
		"ts",
		'import { tenantAuth } from "better-auth-tenants";',
		"betterAuth({ plugins: [tenantAuth()] });",
	),
	"part.md": fenced("ts", "plugins: withTenants({}, []);"),
	"syntax.md": fenced("ts", "betterAuth({;"),
	"name.md": fenced("ts title", "unheardOf(tenantId);"),
	"page.md": fenced("tsx", 'export const page = (name: string) => unheardOf("a", name);'),
	"indented.md": "1. A step:\n\n   ```typescript\n   const id: number = tenantId;\n   ```\n",
	"script.md": fenced("js", "anything();"),
	"run.md": `<!-- recipe:one -->\n\n${fenced("js", "anything();").slice("# A page\n\n".length)}`,
	"shell.md": fenced("sh", "npm install better-auth"),
};

// one program for everything, because building it is most of the work
const pages = readPages();
const { checked, problems } = checkSnippets([
	...pages,
	...Object.entries(PLANTED).map(([page, text]) => ({ page, text })),
]);
const ofPage = (page: string): string[] => problems.filter((problem) => problem.startsWith(`${page}:`));

describe("the documentation", () => {
	it("has only snippets that compile", () => {
		const planted = Object.keys(PLANTED).flatMap(ofPage);
		expect(problems.filter((problem) => !planted.includes(problem))).toEqual([]);
	});

	it("has all its snippets compiled", () => {
		const written = pages.flatMap(
			({ text }) => text.replaceAll(`${SIGNATURE}\n\n\`\`\`ts`, "").match(/^\s*```(ts|tsx|typescript)\b/gm) ?? [],
		);
		expect(written.length).toBeGreaterThan(30);
		expect(checked - written.length).toBe(
			Object.values(PLANTED).filter((text) => /```(ts|tsx|typescript)\b/.test(text)).length,
		);
	});
});

describe("a snippet", () => {
	it("can use the exports of the package and the names of the application without an import", () => {
		expect(ofPage("fragment.md")).toEqual([]);
	});

	it.each([
		["of a wrong type", "type.md:5", "TS2322"],
		["with an option that does not exist", "option.md:4", "TS2561"],
		["with an export that does not exist", "export.md:4", "TS2305"],
		["with some of its imports", "import.md:5", "TS2304"],
		["that is a part of an object", "part.md:4", "TS7028"],
		["that does not parse", "syntax.md:4", "TS1"],
		["with an unknown name", "name.md:4", "TS2304"],
		["in TSX", "page.md:4", "TS2304"],
		["in a list, under another name of the language", "indented.md:4", "TS2322"],
	])("%s is reported with page and line", (_, place, code) => {
		expect(ofPage(place.split(":")[0] ?? "").join("\n")).toContain(`${place}: ${code}`);
	});

	it("in JavaScript is reported unless a test runs it", () => {
		expect(ofPage("script.md")).toEqual([expect.stringContaining("script.md:4: JavaScript that no test runs.")]);
		expect(ofPage("run.md")).toEqual([]);
	});

	it("in another language is left alone", () => {
		expect(ofPage("shell.md")).toEqual([]);
	});

	it("that is not closed throws", () => {
		expect(() => checkSnippets([{ page: "open.md", text: "```ts\nconst a = 1;\n" }])).toThrow("open.md:1");
	});
});
