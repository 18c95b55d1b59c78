import { rowError } from "./error-codes.ts";
import { nodesOf, type QueryNode } from "./kysely-nodes.ts";
import { isExpressionWord } from "./sql-words.ts";

/** Stands for a parameter that is not raw SQL. No SQL contains this character. */
const OPERAND = "\0";

/** What Kysely's `jsonArrayFrom` and `jsonObjectFrom` write. The last operand is the subquery. */
const JSON_HELPERS = new Set([
	"(select coalesce(json_agg(agg), '[]') from \0 as agg)",
	"(select to_json(obj) from \0 as obj)",
	"(select coalesce(json_group_array(json_object(\0)), '[]') from \0 as agg)",
	"(select cast(coalesce(json_arrayagg(json_object(\0)), '[]') as json) from \0 as agg)",
	"(select json_object(\0) from \0 as obj)",
]);

type IsFunction = (name: unknown) => boolean;

/** Throws unless raw SQL is one expression that names no table and calls only known functions. */
export const assertExpression = (node: QueryNode, isFunction: IsFunction): void => {
	const fragments = fragmentsOf(node);
	if (fragments.some((text) => text.includes(OPERAND))) throw refused("a zero character");
	if (!JSON_HELPERS.has(fragments.join(OPERAND))) {
		assertTokens(textOf(node), isFunction, 0);
		return;
	}
	const operands = nodesOf(node.parameters);
	if (operands.at(-1)?.kind !== "SelectQueryNode") throw refused("from");
	// the arguments of `json_object` stand in its parentheses
	for (const operand of operands.slice(0, -1))
		if (operand.kind === "RawNode") assertTokens(textOf(operand), isFunction, 1);
};

const fragmentsOf = ({ sqlFragments }: QueryNode): string[] =>
	Array.isArray(sqlFragments) ? sqlFragments.map(String) : [];

/** The text that Kysely will write, with a character in place of each operand. */
const textOf = (node: QueryNode): string => {
	const operands = nodesOf(node.parameters);
	return fragmentsOf(node)
		.map((text, at) => {
			const operand = operands[at];
			return text + (operand ? (operand.kind === "RawNode" ? textOf(operand) : OPERAND) : "");
		})
		.join("");
};

const TOKEN =
	/\s+|(?<operand>\0)|(?<text>'(?:[^'\\\0]|'')*')|(?<name>"[^"\\\0]+"|`[^`\\\0]+`)|(?<number>\d+(?:\.\d+)?)|(?<word>[a-z_]\w*)|(?<symbol>[-+*/<>=~!@%^&|]+|::|[(),.])/iy;
const SYMBOLS = new Set(
	"( ) , . :: + - * / % = == <> != < <= > >= <=> || && & | << >> ~ ~* !~ !~* @> <@ -> ->>".split(" "),
);

type Token = { kind: string; text: string };

const tokensOf = (text: string): Token[] => {
	const tokens: Token[] = [];
	TOKEN.lastIndex = 0;
	while (TOKEN.lastIndex < text.length) {
		const at = TOKEN.lastIndex;
		const match = TOKEN.exec(text);
		if (!match) throw refused(text[at] === OPERAND ? "an operand" : (text[at] ?? ""));
		const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
		if (kind) tokens.push({ kind, text: match[0] });
	}
	return tokens;
};

/** `$1` and `0` would become `$10`, and two quoted texts would become one. */
const TOUCHING = /[\w'"`]\0|\0[\w'"`\0]/;

const assertTokens = (text: string, isFunction: IsFunction, depthOfCommas: 0 | 1): void => {
	if (TOUCHING.test(text)) throw refused("an operand without a space around it");
	const tokens = tokensOf(text);
	let depth = depthOfCommas;
	tokens.forEach((token, at) => {
		const next = tokens[at + 1]?.text;
		if (token.text === "(") depth += 1;
		if (token.text === ")") depth -= 1;
		if (depth < depthOfCommas) throw refused(")");
		if (token.text === "," && depth === 0) throw refused(",");
		if (token.kind === "symbol" && !SYMBOLS.has(token.text)) throw refused(token.text);
		if (token.kind === "word") assertWord(token.text, next, tokens[at - 1]?.text === ".", isFunction);
		if ((token.kind === "name" || token.kind === "operand") && next === "(") throw refused("a quoted function");
	});
	if (depth !== depthOfCommas) throw refused("(");
};

const assertWord = (word: string, next: string | undefined, isQualified: boolean, isFunction: IsFunction): void => {
	// in SQLite, a name behind `in` is a table
	if (word.toLowerCase() === "in" && next !== "(") throw refused("in");
	if (isQualified ? next !== "(" : isExpressionWord(word) || (next === "(" && isFunction(word))) return;
	throw refused(next === "(" ? `${word}()` : word);
};

const refused = (what: string) =>
	rowError("ROW_QUERY_NOT_SUPPORTED", `raw SQL with ${what} (write columns as sql.ref, subqueries with the builder)`);

/** Raw SQL inside of raw SQL was looked at with it. */
export const walkRaw = (node: QueryNode, walk: (part: unknown) => unknown): QueryNode => ({
	...node,
	parameters: nodesOf(node.parameters).map((part) => (part.kind === "RawNode" ? walkRaw(part, walk) : walk(part))),
});
