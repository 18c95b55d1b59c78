import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import ts from "typescript";
import { anchorOf, link } from "./reference/markdown.ts";
import { type Status, THREAT_GROUPS, type Threat, type ThreatGroup } from "./threats.ts";

const ROOT = new URL("../", import.meta.url);
export const DOCS = new URL("docs/", ROOT);
export const THREATS: Threat[] = THREAT_GROUPS.flatMap(({ threats }) => threats);

/** The tests of the packages, the service, the proofs and the scripts. */
const TESTS = [
	"packages/*/test/**/*.ts",
	"apps/*/test/**/*.ts",
	"proof/{browser,conformance,surface}/**/*.ts",
	"scripts/*.test.ts",
];

/** A test, and the row named by a comment above or inside of it. */
export type NamedTest = { threat: number; file: string; title: string };

/** Collects every `// threat 12` or `// threats 59 and 60` in the tests, with the test it belongs to. */
export const collectTests = (): NamedTest[] =>
	globSync(TESTS, { cwd: ROOT.pathname, exclude: ["**/node_modules/**"] })
		.toSorted()
		.flatMap((file) => readTests(file, readFileSync(new URL(file, ROOT), "utf8")));

const COMMENT = /^[ \t]*\/\/ threats? (\d+(?:(?:,| and) ?\d+)*)\b/gm;

/** Reads the comments of one file. */
export const readTests = (file: string, text: string): NamedTest[] => {
	const places = findTests(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
	return [...text.matchAll(COMMENT)].flatMap((comment) => {
		const at = comment.index + comment[0].indexOf("//");
		const around = places.filter(({ from, to }) => from <= at && at < to).toSorted((a, b) => a.from - b.from);
		if (around.length === 0) throw new Error(`${file}: "${comment[0].trim()}" does not belong to a test`);
		const title = around.map((place) => place.title).join(" › ");
		return (comment[1]?.match(/\d+/g) ?? []).map((number) => ({ threat: Number(number), file, title }));
	});
};

type Place = { from: number; to: number; title: string };
const NAMES = new Set(["it", "test", "describe", "check"]);

/** Finds the tests of a file, including the comments above them. */
const findTests = (source: ts.SourceFile): Place[] => {
	const places: Place[] = [];
	const visit = (node: ts.Node): void => {
		const title = ts.isCallExpression(node) && NAMES.has(calledName(node)) ? titleOf(node.arguments[0]) : null;
		// comments belong to the statement or property around the call
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

/** Replaces what is filled in at run time with an ellipsis. */
const titleOf = (node: ts.Expression | undefined): string | null => {
	if (!node) return null;
	if (ts.isStringLiteralLike(node)) return node.text.replace(/%[sdioj]|\$\w+/g, "…");
	if (!ts.isTemplateExpression(node)) return null;
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…");
};

/** Renders every page of the threat model from threats.ts and the tests that name each row, by its path from docs/. */
export const renderThreatModel = (tests = collectTests()): Map<string, string> =>
	new Map([
		["threat-model.md", renderIndex()],
		...THREAT_GROUPS.map((group): [string, string] => [fileOf(group), renderGroup(group, tests)]),
	]);

/** One page with all rows and tests would be too long to read, and too large for a phone. */
const fileOf = ({ title }: ThreatGroup): string => `threats/${anchorOf(title)}.md`;
const headingOf = ({ number, title }: Threat): string => `${number}. ${title}`;

const renderIndex = (): string =>
	lines(
		INTRODUCTION,
		summarize(),
		...THREAT_GROUPS.flatMap((group) => [
			`## ${group.title}`,
			group.threats
				.map((threat) => `- ${link(headingOf(threat), headingOf(threat), fileOf(group))}: ${threat.status}`)
				.join("\n"),
		]),
	);

const renderGroup = ({ title, threats }: ThreatGroup, tests: NamedTest[]): string =>
	lines(
		WRITTEN,
		`# Threats: ${title}`,
		"Possible attacks, the current defenses, and the tests that run each attack. [Threat model](../threat-model.md) lists all of them.",
		...threats.map((threat) =>
			renderThreat(
				threat,
				tests.filter((test) => test.threat === threat.number),
			),
		),
	);

const lines = (...parts: string[]): string => `${parts.join("\n\n")}\n`;

const WRITTEN = "<!-- Written by scripts/write-threat-model.ts: run `pnpm docs:threats` instead of editing. -->";

const INTRODUCTION = `${WRITTEN}

# Threat model

Possible attacks. Each links to the current defenses and the tests that run the attack. The _platform_ is everything that belongs to
no tenant. [limits.md](limits.md) lists what is not protected by design.`;

const MEANINGS: Record<Status, string> = {
	covered: "a test attacks it",
	partly: "a part is missing or not tested; the row says which",
	"Better Auth's": "Better Auth defends it, and this plugin keeps the defense in place",
	open: "no defense yet",
};

const summarize = (): string =>
	Object.entries(MEANINGS)
		.map(([status, meaning]) => {
			const rows = THREATS.filter((threat) => threat.status === status);
			return `- **${status}**: ${meaning}. ${rows.length} rows.`;
		})
		.join("\n");

const renderThreat = (threat: Threat, tests: NamedTest[]): string => {
	const { defense, status, remark } = threat;
	const parts = [`## ${headingOf(threat)}`, `**${status}**. ${linkFiles(defense)}`];
	if (remark) parts.push(`${status === "partly" || status === "open" ? "Missing" : "Note"}: ${linkFiles(remark)}`);
	const links = new Set(
		tests.map((test) => `- [${shorten(test.file)}](../../${test.file}): ${escapeMarkdown(test.title)}`),
	);
	if (links.size > 0) parts.push([...links].join("\n"));
	return parts.join("\n\n");
};

/** Shows the package's files with their path inside the package. */
const shorten = (file: string): string => file.replace("packages/tenants/", "");

const FILE = /`((?:src|test|packages|apps|proof)\/[\w./-]+)`/g;
/** Resolves paths of the package's files. */
const pathOf = (name: string): string => (/^(?:src|test)\//.test(name) ? `packages/tenants/${name}` : name);

/** The paths of all files that a text names, from the root of the repository. */
export const namedFiles = (text: string): string[] => [...text.matchAll(FILE)].map(([, name = ""]) => pathOf(name));

/** Links files, and pages of docs/ from the folder below it. */
const linkFiles = (text: string): string =>
	text
		.replaceAll(/\]\(([\w/-]+\.md)/g, "](../$1")
		.replace(FILE, (_, name: string) => `[\`${name}\`](../../${pathOf(name)})`);

const escapeMarkdown = (text: string): string => text.replace(/[\\*_<>[\]|`~]/g, "\\$&");

/** `pnpm docs:threats`. A group that was renamed leaves no page behind. */
if (import.meta.main) {
	rmSync(new URL("threats", DOCS), { recursive: true, force: true });
	mkdirSync(new URL("threats", DOCS));
	for (const [file, text] of renderThreatModel()) writeFileSync(new URL(file, DOCS), text);
}
