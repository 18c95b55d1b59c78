/** A page of the reference. The title is its first heading, the introduction its first paragraph. */
export type Page = { file: string; title: string; introduction: string; body: string[] };

/** The mark above a code block that is no program: the signature of an export. */
export const SIGNATURE = "<!-- signature -->";

export const renderPage = ({ title, introduction, body }: Omit<Page, "file">): string =>
	`${[
		"<!-- Written by scripts/reference: run `pnpm docs:reference` instead of editing. -->",
		`# ${title}`,
		introduction,
		...body,
	]
		.filter((part) => part !== "")
		.join("\n\n")}\n`;

export const table = (headers: string[], rows: string[][]): string =>
	[headers, headers.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");

const cell = (text: string): string => text.replaceAll(/(?<!\\)\|/g, "\\|").replaceAll(/\s*\n\s*/g, " ");

export const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** Text in code font. Longer delimiters, if it contains one itself. */
export const code = (text: string): string => {
	const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
	const delimiter = "`".repeat(longest + 1);
	return longest > 0 ? `${delimiter} ${text} ${delimiter}` : `${delimiter}${text}${delimiter}`;
};

/** The anchor that GitHub gives to a heading. */
export const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
		.replaceAll(" ", "-");

export const link = (text: string, heading: string, file = ""): string => `[${text}](${file}#${anchorOf(heading)})`;

/** Text of a JSDoc comment: lines of a paragraph are joined, and pages of docs/ are linked. */
export const prose = (text: string): string =>
	text
		.split(/\n{2,}/)
		.map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, " "))
		.join("\n\n")
		.replaceAll(/(?<![\w/(])docs\/([\w-]+\.md)/g, "[docs/$1](../$1)");

/** The first sentence of a text. */
export const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(prose(text))?.[0] ?? prose(text);

/** A text that begins with a capital letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A sentence with its period. Descriptions in the code have none at the end. */
export const sentence = (text: string): string => (/[.!?:]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);
