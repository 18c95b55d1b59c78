import { readFileSync } from "node:fs";

const PAGE = readFileSync(new URL("../../../../../docs/moving-in.md", import.meta.url), "utf8");

/** The code block after a mark in docs/moving-in.md. */
export const recipe = (mark: string): string => {
	const found = PAGE.match(new RegExp(`<!-- recipe:${mark} -->\\n\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``));
	if (!found?.[1]) throw new Error(`docs/moving-in.md has no recipe "${mark}"`);
	return found[1];
};
