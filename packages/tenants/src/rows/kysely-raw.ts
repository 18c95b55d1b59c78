import { isNode, nodesOf, type QueryNode } from "./kysely-nodes.ts";

/** Words that begin a statement, whose tables cannot be seen. */
const STATEMENT = /\b(?:select|table|insert|update|delete|merge)\b/i;
/** `jsonArrayFrom` and `jsonObjectFrom` of Kysely, with the subquery between the two. */
const BEFORE_SUBQUERY = /^\(select (?!.*\b(?:select|from|join)\b.*\bfrom $)[^,;]*(?:, '\[\]'\))? from $/;
const AFTER_SUBQUERY = /^ as (?:agg|obj)\)$/;

/** Whether raw SQL contains a statement of its own. The only subqueries it may have are those of Kysely's JSON helpers. */
export const hasStatement = ({ sqlFragments, parameters }: QueryNode): boolean => {
	const fragments = Array.isArray(sqlFragments) ? sqlFragments.map(String) : [];
	if (!fragments.some((text) => STATEMENT.test(text))) return false;
	const subquery = nodesOf(parameters).at(-1);
	const isHelper =
		isNode(subquery) &&
		subquery.kind === "SelectQueryNode" &&
		AFTER_SUBQUERY.test(fragments.at(-1) ?? "") &&
		BEFORE_SUBQUERY.test(fragments.slice(0, -1).join(""));
	return !isHelper;
};
