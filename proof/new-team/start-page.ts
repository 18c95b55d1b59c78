import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

const ROOT = new URL("../../", import.meta.url);
const FOLDER = "docs/start";
const README = "packages/tenants/README.md";

/** A page that a reader follows from an empty folder to a running server. */
export type StartPage = {
	name: string;
	path: string;
	/** Commands that install the packages. */
	install: string;
	/** The files that the page tells to write, by name. */
	files: Record<string, string>;
	/** Commands of which the last one starts the server. */
	run: string;
	/** Commands for a second terminal, while the server runs. */
	use: string | undefined;
	/** Commands that build the application for production, if there is something to build. */
	build: string | undefined;
	/** Commands of which the last one starts the server for production, if it can run outside of its platform. */
	start: string | undefined;
	/** Changes with the code of the blocks, and not with its format or the text around. */
	digest: string;
};

/** Blocks that are no files. */
const COMMANDS = ["install", "run", "use", "build", "start"];
/** What a reader only reads: output, or a part of a file that exists already. */
const NOT_FOLLOWED = ["text", "json"];

/** The names of all pages, as the command line knows them. */
export const startPages = (): string[] => [
	"readme",
	...readdirSync(new URL(FOLDER, ROOT)).map((file) => basename(file, ".md")),
];

/** Reads the marked blocks of a page. On pages of docs/start, a block without a mark throws, because nobody would follow it. */
export const readStartPage = (name: string): StartPage => {
	const path = name === "readme" ? README : `${FOLDER}/${name}.md`;
	const text = readFileSync(new URL(path, ROOT), "utf8");
	const blocks = new Map<string, string>();
	for (const [, mark, language = "", code = ""] of text.matchAll(
		/(?:<!-- quick-start:(\S+) -->\n+)?^```(\w*)\n([\s\S]*?)^```$/gm,
	)) {
		if (mark) blocks.set(mark, code);
		else if (name !== "readme" && !NOT_FOLLOWED.includes(language))
			throw new Error(`${path}: a block has no mark such as <!-- quick-start:auth.js -->:\n${code}`);
	}
	const needed = (mark: string): string => {
		const code = blocks.get(mark);
		if (!code) throw new Error(`${path} has no block "${mark}".`);
		return code;
	};
	return {
		name,
		path,
		install: needed("install"),
		files: Object.fromEntries([...blocks].filter(([mark]) => !COMMANDS.includes(mark))),
		run: needed("run"),
		use: blocks.get("use"),
		build: blocks.get("build"),
		start: blocks.get("start"),
		digest: digestOf(blocks),
	};
};

/** Commands for the terminal in which the page was run before: it still has the variables. */
export const sameTerminal = ({ run }: StartPage, commands: string): string =>
	[...(run.match(/^export .*$/gm) ?? []), commands].join("\n");

/** A marked block of the B2B guide, and the digest of all of them. */
export const readGuide = (): { path: string; block: (mark: string) => string; digest: string } => {
	const path = "docs/guides/b2b.md";
	const text = readFileSync(new URL(path, ROOT), "utf8");
	const marked = text.matchAll(/<!-- b2b:(\S+) -->\n+^```\w+\n([\s\S]*?)^```$/gm);
	const blocks = new Map([...marked].map(([, mark = "", code = ""]) => [mark, code]));
	const block = (mark: string): string => {
		const code = blocks.get(mark);
		if (!code) throw new Error(`${path} has no block "${mark}".`);
		return code;
	};
	return { path, block, digest: digestOf(blocks) };
};

/** What a formatter changes does not count: blanks, the last comma of a list, parentheses around several lines. */
const digestOf = (blocks: Map<string, string>): string => {
	const plain = [...blocks].map(([mark, code]) => [mark, code.replace(/[\s,;()]+/g, "")]);
	return createHash("sha256").update(JSON.stringify(plain)).digest("hex").slice(0, 16);
};
