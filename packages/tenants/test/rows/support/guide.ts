import { readFileSync } from "node:fs";

const GUIDE = new URL("../../../../../docs/guides/row-level-data.md", import.meta.url);

/** A code block of the guide, by the comment above it. Tests run what readers copy. */
export const blockOf = (mark: string): string => {
	const [, text] = readFileSync(GUIDE, "utf8").split(`<!-- ${mark} -->`);
	const code = /^```\w+\n(.*?)^```$/ms.exec(text ?? "")?.[1];
	if (!code) throw new Error(`The guide has no block ${mark}. Add the comment above a code block.`);
	return code;
};
