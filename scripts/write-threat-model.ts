import { globSync, readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";
import { type Status, THREAT_GROUPS, type Threat } from "./threats.ts";

const ROOT = new URL("../", import.meta.url);
export const THREAT_MODEL = new URL("docs/threat-model.md", ROOT);
export const THREATS: Threat[] = THREAT_GROUPS.flatMap(({ threats }) => threats);

/** Where tests are: the package's, the proofs' and the scripts'. */
const TESTS = ["packages/*/test/**/*.ts", "proof/{browser,conformance,surface}/**/*.ts", "scripts/*.test.ts"];

/** A test, and the row that a comment above or inside it names. */
export type NamedTest = { threat: number; file: string; title: string };

/** Every `// threat 12` or `// threats 59 and 60` in the tests, with the test it stands at. */
export const collectTests = (): NamedTest[] =>
	globSync(TESTS, { cwd: ROOT.pathname, exclude: ["**/node_modules/**"] })
		.toSorted()
		.flatMap((file) => readTests(file, readFileSync(new URL(file, ROOT), "utf8")));

const COMMENT = /^[ \t]*\/\/ threats? (\d+(?:(?:,| and) ?\d+)*)\b/gm;

/** The comments of one file. */
export const readTests = (file: string, text: string): NamedTest[] => {
	const places = findTests(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
	return [...text.matchAll(COMMENT)].flatMap((comment) => {
		const at = comment.index + comment[0].indexOf("//");
		const around = places.filter(({ from, to }) => from <= at && at < to).toSorted((a, b) => a.from - b.from);
		if (around.length === 0) throw new Error(`${file}: "${comment[0].trim()}" stands at no test`);
		const title = around.map((place) => place.title).join(" › ");
		return (comment[1]?.match(/\d+/g) ?? []).map((number) => ({ threat: Number(number), file, title }));
	});
};

type Place = { from: number; to: number; title: string };
const NAMES = new Set(["it", "test", "describe", "check"]);

/** Where tests stand, with the comments above them. */
const findTests = (source: ts.SourceFile): Place[] => {
	const places: Place[] = [];
	const visit = (node: ts.Node): void => {
		const title = ts.isCallExpression(node) && NAMES.has(calledName(node)) ? titleOf(node.arguments[0]) : null;
		// comments belong to the statement or property that the call is
		if (title !== null) places.push({ from: node.parent.getFullStart(), to: node.end, title });
		ts.forEachChild(node, visit);
	};
	visit(source);
	return places;
};

/** `describe` of `describe.each(…)(…)`. */
const calledName = (node: ts.Expression): string => {
	if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return calledName(node.expression);
	return ts.isIdentifier(node) ? node.text : "";
};

/** What is filled in when the test runs stands as an ellipsis. */
const titleOf = (node: ts.Expression | undefined): string | null => {
	if (!node) return null;
	if (ts.isStringLiteralLike(node)) return node.text.replace(/%[sdioj]|\$\w+/g, "…");
	if (!ts.isTemplateExpression(node)) return null;
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…");
};

/** The page about threats: what is written in threats.ts, and the tests that name each row. */
export const renderThreatModel = (tests = collectTests()): string =>
	[
		INTRODUCTION,
		summarize(),
		...THREAT_GROUPS.flatMap(({ title, threats }) => [
			`## ${title}`,
			...threats.map((threat) =>
				renderThreat(
					threat,
					tests.filter((test) => test.threat === threat.number),
				),
			),
		]),
	].join("\n\n");

const INTRODUCTION = `<!-- Written by scripts/write-threat-model.ts: run \`pnpm docs:threats\` instead of editing. -->

# Threat model

What somebody would try, what stands in his way today, and the tests that try it. Better Auth is "the engine"; the
_platform_ is whatever belongs to no tenant. What is not protected by design: [limits.md](limits.md).`;

const MEANINGS: Record<Status, string> = {
	covered: "a test attacks it",
	partly: "a part is not tested or not done; the row says which",
	"the engine's": "Better Auth defends it, and this plugin leaves that in place",
	open: "not done",
};

const summarize = (): string =>
	Object.entries(MEANINGS)
		.map(([status, meaning]) => {
			const numbers = THREATS.filter((threat) => threat.status === status).map(({ number }) => number);
			return `- **${status}**: ${meaning}. ${numbers.length} rows: ${numbers.join(", ")}.`;
		})
		.join("\n");

const renderThreat = ({ number, title, defence, status, remark }: Threat, tests: NamedTest[]): string => {
	const lines = [`### ${number}. ${title}`, `**${status}**. ${linkFiles(defence)}`];
	if (remark) lines.push(`${status === "partly" || status === "open" ? "Missing" : "Note"}: ${linkFiles(remark)}`);
	const links = new Set(
		tests.map((test) => `- [${shorten(test.file)}](../${test.file}): ${escapeMarkdown(test.title)}`),
	);
	if (links.size > 0) lines.push([...links].join("\n"));
	return lines.join("\n\n");
};

/** The package's own files go by their path below it, as everywhere in this page. */
const shorten = (file: string): string => file.replace("packages/tenants/", "");

const FILE = /`((?:src|test|packages|proof)\/[\w./-]+)`/g;
/** The package's own files are named by their path below it. */
const pathOf = (name: string): string => (/^(?:src|test)\//.test(name) ? `packages/tenants/${name}` : name);

/** Paths, from the root of the repository, of the files that a text names. */
export const namedFiles = (text: string): string[] => [...text.matchAll(FILE)].map(([, name = ""]) => pathOf(name));

const linkFiles = (text: string): string =>
	text.replace(FILE, (_, name: string) => `[\`${name}\`](../${pathOf(name)})`);

const escapeMarkdown = (text: string): string => text.replace(/[\\*_<>[\]|`~]/g, "\\$&");

if (import.meta.main) writeFileSync(THREAT_MODEL, `${renderThreatModel()}\n`);
