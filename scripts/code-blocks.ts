/** A page of the documentation. */
export type Page = { page: string; text: string };

/** A code block. `line` is that of its first line of code, `mark` the comment above the block. */
export type Block = { page: string; language: string; line: number; code: string; mark: string };

/** The code blocks of a page, in their order. Throws if one is not closed. */
export const blocksOf = ({ page, text }: Page): Block[] => {
	const blocks: Block[] = [];
	let mark = "";
	let open: (Block & { fence: string; lines: string[] }) | null = null;
	for (const [index, line] of text.split("\n").entries()) {
		const [, fence = "", info = ""] = /^\s*(`{3,}|~{3,})\s*(.*)$/.exec(line) ?? [];
		if (open) {
			if (fence.startsWith(open.fence) && info === "") {
				blocks.push({ ...open, code: open.lines.join("\n") });
				open = null;
				mark = "";
			} else open.lines.push(line);
		} else if (fence) {
			const language = info.split(/[\s{]/)[0]?.toLowerCase() ?? "";
			open = { page, language, line: index + 2, code: "", mark, fence, lines: [] };
		} else if (line.trim()) mark = line.trim();
	}
	if (open) throw new Error(`${page}:${open.line - 1}: The code block is not closed.`);
	return blocks;
};
