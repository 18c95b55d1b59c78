/** Sticky: matching stops at an unclosed quote or comment, instead of continuing after it. */
const TOKENS =
	/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[(),]|[^\s(),'"`[\]]+|\s+/gy;

/**
 * Rewrites a `create table` statement with a new name and without `unique` on the columns. Null if the statement is not
 * of the simple kind that the engine writes, because a guess could lose a constraint.
 */
export const withoutUnique = (statement: string, newName: string, columns: string[]): string | null => {
	const tokens: string[] = statement.match(TOKENS) ?? [];
	const open = tokens.indexOf("(");
	const close = tokens.lastIndexOf(")");
	if (open === -1 || tokens.join("") !== statement || tokens.some(isComment)) return null;
	const left = new Set(columns);
	const definitions = splitAtCommas(tokens.slice(open + 1, close)).map((definition) => {
		const column = unquote(definition.find((token) => token.trim() !== "") ?? "");
		if (!left.has(column)) return definition;
		const places = definition.flatMap((token, place) => (isWord(token, "unique") ? [place] : []));
		const special = definition.some((token) => isWord(token, "conflict") || isWord(token, "constraint"));
		if (places.length !== 1 || special) return definition;
		left.delete(column);
		return definition.filter((_, place) => place !== places[0]);
	});
	if (left.size > 0) return null;
	const body = definitions.map((definition) => definition.join("").trim()).join(", ");
	return `create table ${newName} (${body})${tokens.slice(close + 1).join("")}`;
};

const isComment = (token: string): boolean => token.startsWith("--") || token.startsWith("/*");
const isWord = (token: string, word: string): boolean => token.toLowerCase() === word;

const unquote = (token: string): string =>
	/^["'`[]/.test(token) ? token.slice(1, -1).replaceAll(token.charAt(0).repeat(2), token.charAt(0)) : token;

const splitAtCommas = (tokens: string[]): string[][] => {
	const parts: string[][] = [[]];
	let depth = 0;
	for (const token of tokens) {
		if (token === "(") depth++;
		if (token === ")") depth--;
		if (token === "," && depth === 0) parts.push([]);
		else parts.at(-1)?.push(token);
	}
	return parts;
};
