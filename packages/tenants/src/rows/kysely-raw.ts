import { isNode, nodesOf, type QueryNode } from "./kysely-nodes.ts";

/** Words that begin a statement, whose tables cannot be seen. */
const STATEMENT = /\b(?:select|table|insert|update|delete|merge)\b/i;
/** What Kysely's `jsonArrayFrom` and `jsonObjectFrom` write behind the subquery. */
const AFTER_SUBQUERY = [" as agg)", " as obj)"];

/** Whether raw SQL contains a statement of its own. The only subqueries it may have are those of Kysely's JSON helpers. */
export const hasStatement = ({ sqlFragments, parameters }: QueryNode): boolean => {
	const fragments = Array.isArray(sqlFragments) ? sqlFragments.map(String) : [];
	if (!fragments.some((text) => STATEMENT.test(text))) return false;
	const subquery = nodesOf(parameters).at(-1);
	const isHelper =
		isNode(subquery) &&
		subquery.kind === "SelectQueryNode" &&
		AFTER_SUBQUERY.includes(fragments.at(-1) ?? "") &&
		selectsOnce(fragments.slice(0, -1).join(""));
	return !isHelper;
};

/** One `select` at the start and one `from` at the end, so that no table can be named between them. */
const selectsOnce = (text: string): boolean => {
	const words = text.toLowerCase().split(/\W/);
	const count = (word: string) => words.filter((one) => one === word).length;
	return text.startsWith("(select ") && text.endsWith(" from ") && count("select") === 1 && count("from") === 1;
};
