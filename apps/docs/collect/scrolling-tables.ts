import { outsideOfCode } from "./outside-of-code.ts";

/** Gives each table a frame that scrolls sideways on a phone, can be reached by keyboard, and is named by its heading. */
export const withScrollingTables = (title: string, markdown: string): string => {
	const used = new Map<string, number>();
	let heading = title;
	const name = (): string => {
		const count = (used.get(heading) ?? 0) + 1;
		used.set(heading, count);
		return count === 1 ? `Table: ${heading}` : `Table ${count}: ${heading}`;
	};
	return outsideOfCode(markdown, (text) =>
		text.replace(/^#{2,6} (.+)$|(?:^\|.*\|[ \t]*(?:\n|$(?![\s\S])))+/gm, (found, words?: string) => {
			if (words !== undefined) {
				heading = words.replace(/[^\p{L}\p{N} ,.:()/-]/gu, "").trim();
				return found;
			}
			return `<div class="scroll" role="region" tabindex="0" aria-label="${name()}">\n\n${found.trimEnd()}\n\n</div>\n`;
		}),
	);
};
