/** Changes the text of a Markdown page, but neither its code blocks nor its inline code. */
export const outsideOfCode = (markdown: string, change: (text: string) => string): string => {
	const parts: string[] = [];
	let text: string[] = [];
	let fence: string | null = null;
	const flush = (): void => {
		if (text.length > 0) parts.push(aroundInlineCode(text.join("\n"), change));
		text = [];
	};
	for (const line of markdown.split("\n")) {
		const [, found = ""] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
		if (fence !== null) {
			parts.push(line);
			if (found.startsWith(fence)) fence = null;
		} else if (found) {
			flush();
			parts.push(line);
			fence = found;
		} else text.push(line);
	}
	flush();
	return parts.join("\n");
};

/** A link may contain inline code, so code is set aside and put back instead of splitting the text at it. */
const aroundInlineCode = (text: string, change: (text: string) => string): string => {
	const codes: string[] = [];
	const without = text.replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, (code) => `\uE000${codes.push(code) - 1}\uE000`);
	return change(without).replace(/\uE000(\d+)\uE000/g, (_, index) => codes[Number(index)] ?? "");
};
