import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { type Block, blocksOf, type Page } from "./code-blocks.ts";
import { SIGNATURE } from "./reference/markdown.ts";
import { namesToImport, PRELUDE, REACT_PRELUDE } from "./snippet-prelude.ts";

const ROOT = join(import.meta.dirname, "..");
/** Snippets are compiled here, because this package has every dependency that they import. Nothing is written. */
const FOLDER = join(ROOT, "packages/tenants");
/** Snippets with elements are compiled here, because this package has React. */
const REACT_FOLDER = join(ROOT, "packages/react");

/** The names that readers know TypeScript by, and the ending that the compiler wants. */
const ENDINGS: Record<string, string> = { ts: "ts", typescript: "ts", mts: "ts", cts: "ts", tsx: "tsx" };
/** A test runs what stands below such a comment. */
const RUN_BY_TEST = /^<!-- [\w-]+:[\w.-]+ -->$/;

/** Decisions are history. `pnpm new-team` follows the pages of docs/start, and compiles them with their frameworks. */
const ELSEWHERE = /^docs\/(decisions|start|upstream)\//;

/** The pages whose snippets a reader copies. */
export const readPages = (): Page[] =>
	[
		"README.md",
		"packages/tenants/README.md",
		"packages/react/README.md",
		"apps/server/README.md",
		...globSync("docs/**/*.md", { cwd: ROOT })
			.filter((page) => !ELSEWHERE.test(page))
			.sort(),
	].map((page) => ({ page, text: readFileSync(join(ROOT, page), "utf8") }));

/**
 * Compiles every TypeScript block of the pages with the compiler options of this repository, and returns the errors with page
 * and line. A block without imports gets those of the packages it uses. A block with imports must have all of them. JavaScript
 * blocks must be run by a test. All blocks share one program, because most of the time goes into the types of the dependencies.
 */
export const checkSnippets = (pages: Page[]): { checked: number; problems: string[] } => {
	const blocks = pages.flatMap(blocksOf);
	const snippets = completeSnippets(blocks).map((snippet, index) => ({
		...snippet,
		file: fileOf(index, snippet.ending),
	}));
	const program = compile(new Map(snippets.map(({ file, text }) => [file, text])));
	const problems = blocks.filter(isUncheckedScript).map(({ page, line }) => `${page}:${line}: ${NOT_RUN}`);
	for (const { page, line, file, added } of snippets) {
		const source = program.getSourceFile(file);
		for (const found of [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]) {
			const inFile = source?.getLineAndCharacterOfPosition(found.start ?? 0).line ?? 0;
			const message = ts.flattenDiagnosticMessageText(found.messageText, "\n  ");
			problems.push(`${page}:${line + inFile - added}: TS${found.code}: ${message}`);
		}
	}
	return { checked: snippets.length, problems };
};

/** A TypeScript block as a module of its own. `added` counts the lines above the code. */
export type Snippet = Block & { ending: string; text: string; added: number };

/** The TypeScript blocks among some blocks, each with the imports that it lacks. */
export const completeSnippets = (blocks: Block[]): Snippet[] =>
	blocks.flatMap((block) => {
		const ending = ENDINGS[block.language];
		return ending && block.mark !== SIGNATURE ? [{ ...block, ending, ...complete(block.code, ending === "tsx") }] : [];
	});

const fileOf = (index: number, ending: string): string =>
	join(ending === "tsx" ? REACT_FOLDER : FOLDER, `snippet-${index}.${ending}`);

const NOT_RUN =
	"JavaScript that no test runs. Write it in TypeScript, or run it in a test and name it in a comment above.";

const isUncheckedScript = ({ language, mark }: Block): boolean =>
	["js", "jsx", "javascript", "mjs"].includes(language) && !RUN_BY_TEST.test(mark);

/** Adds the imports that a fragment lacks, and makes it a module. `added` counts the lines above the code. */
const complete = (code: string, hasElements: boolean): { text: string; added: number } => {
	const source = ts.createSourceFile("snippet.tsx", code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
	const isComplete = source.statements.some(ts.isImportDeclaration);
	const lacking = isComplete ? [] : namesToImport(source, hasElements);
	const imports = lacking.map(({ name, from, isType }) => `import ${isType ? "type " : ""}{ ${name} } from "${from}";`);
	return { text: `${imports.join(" ")}\n${code}\nexport {};\n`, added: 1 };
};

const compilerOptions = (): ts.CompilerOptions => {
	const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
	const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
	// a part of an object, such as `plugins: [],`, would otherwise pass as a label
	return { ...options, allowUnusedLabels: false };
};

/** One program of texts that are in no file, beside the prelude and the `auth.ts` that snippets import. */
const compile = (texts: Map<string, string>): ts.Program => {
	const options = compilerOptions();
	const host = ts.createCompilerHost(options);
	const virtual = new Map(texts);
	for (const [name, text] of Object.entries(PRELUDE)) virtual.set(join(FOLDER, name), text);
	for (const [name, text] of Object.entries(REACT_PRELUDE)) virtual.set(join(REACT_FOLDER, name), text);
	const folders = new Set([...virtual.keys()].map(dirname));
	const { directoryExists, fileExists, readFile, getSourceFile } = host;
	host.directoryExists = (folder) => folders.has(folder) || (directoryExists?.(folder) ?? false);
	host.fileExists = (file) => virtual.has(file) || fileExists(file);
	host.readFile = (file) => virtual.get(file) ?? readFile(file);
	host.getSourceFile = (file, version, ...rest) => {
		const text = virtual.get(file);
		if (text === undefined) return getSourceFile(file, version, ...rest);
		const made = ts.createSourceFile(file, text, version);
		return Object.assign(made, { impliedNodeFormat: ts.ModuleKind.ESNext });
	};
	return ts.createProgram([...virtual.keys()], options, host);
};

/** Fails if a snippet of the documentation does not compile. */
const main = (): void => {
	const { checked, problems } = checkSnippets(readPages());
	for (const problem of problems) console.error(problem);
	console.log(`Compiled ${checked} snippets: ${problems.length} problems.`);
	process.exitCode = problems.length > 0 ? 1 : 0;
};

if (import.meta.main) main();
