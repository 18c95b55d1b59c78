import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { completeSnippets } from "../../scripts/check-snippets.ts";
import { type Block, blocksOf } from "../../scripts/code-blocks.ts";
import { PRELUDE, REACT_PRELUDE } from "../../scripts/snippet-prelude.ts";
import { FRAMEWORKS } from "./frameworks.ts";

const ROOT = join(import.meta.dirname, "../..");
const README = "packages/tenants/README.md";

/** Pages whose unmarked blocks are parts of an application. */
const WITH_SNIPPETS = ["README.md", README, "packages/react/README.md", "docs/guides/b2b.md"];
const START = "docs/start";

/** Pages whose server runs in Node as it is. The others have a bundler, and leave file endings out. */
const WITHOUT_BUNDLER = ["readme", "express", "fastify", "hono"];

/** What the snippets of these pages import of the prelude. */
const NEEDED = ["auth.ts", "db.ts", "prelude.d.ts"];

/** Files that a page tells to write, by name. */
type Files = Record<string, string>;
type StartPage = { name: string; files: Files };

const read = (page: string): Block[] => blocksOf({ page, text: readFileSync(join(ROOT, page), "utf8") });

/** The start pages and the quick start of the README, with the files that a compiler can read. */
export const startPages = (): StartPage[] => [
	{ name: "readme", files: filesOf(read(README)) },
	...readdirSync(join(ROOT, START)).map((file) => ({
		name: basename(file, ".md"),
		files: filesOf(read(`${START}/${file}`)),
	})),
];

const filesOf = (blocks: Block[]): Files =>
	Object.fromEntries(
		blocks.flatMap(({ mark, code }) => {
			const [, name = ""] = /^<!-- quick-start:(\S+) -->$/.exec(mark) ?? [];
			return /\.[jt]sx?$/.test(name) ? [[name, code]] : [];
		}),
	);

/** The snippets of the pages, each as a file that is named after its page and line. */
export const snippetFiles = (): Files => {
	const prelude = Object.entries(PRELUDE).filter(([name]) => NEEDED.includes(name));
	const snippets = completeSnippets(WITH_SNIPPETS.flatMap(read));
	return {
		...Object.fromEntries(prelude),
		...REACT_PRELUDE,
		...Object.fromEntries(
			snippets.map(({ page, line, ending, text }) => [`${page.replaceAll(/[/.]/g, "-")}-${line}.${ending}`, text]),
		),
	};
};

/** Writes the code of the pages. Returns the folders of strict code and of scripts, with and without a bundler. */
export const writePages = async (folder: string) => {
	const write = async (into: string, files: Files): Promise<void> => {
		for (const [name, text] of Object.entries(files)) {
			await mkdir(dirname(join(folder, into, name)), { recursive: true });
			await writeFile(join(folder, into, name), text);
		}
	};
	await write(".", { "frameworks.d.ts": FRAMEWORKS });
	await write("snippets", snippetFiles());
	const pages = startPages();
	for (const { name, files } of pages) await write(`pages/${name}`, files);
	const isTyped = ({ files }: StartPage): boolean => Object.keys(files).some((name) => /\.tsx?$/.test(name));
	const folders = (chosen: StartPage[]): string[] => chosen.map(({ name }) => `pages/${name}`);
	const onNode = pages.filter(({ name }) => WITHOUT_BUNDLER.includes(name));
	return {
		typed: { nodenext: folders(onNode.filter(isTyped)), bundler: folders(pages.filter(isTyped)) },
		scripts: { nodenext: folders(onNode), bundler: folders(pages) },
	};
};
