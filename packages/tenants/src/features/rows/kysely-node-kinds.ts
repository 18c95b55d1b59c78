import { rowError } from "./error-codes.ts";
import { isNode, nodesOf, type QueryNode } from "./kysely-nodes.ts";

/**
 * Every kind of node that a query may contain, with its parts. A kind or a part that is not listed is rejected, so a new one of
 * Kysely is rejected until somebody has looked at it. `explain` is missing because it shows how many rows other tenants have.
 */
const PARTS: Readonly<Record<string, string>> = {
	SelectQueryNode:
		"from selections distinctOn joins groupBy orderBy where frontModifiers endModifiers limit offset with having setOperations fetch",
	InsertQueryNode: "into columns values returning onConflict onDuplicateKey with orAction replace defaultValues",
	UpdateQueryNode: "table from joins where updates returning with limit orderBy",
	DeleteQueryNode: "from using joins where returning with orderBy limit",
	AggregateFunctionNode: "func aggregated distinct orderBy withinGroup filter over",
	AliasNode: "node alias",
	AndNode: "left right",
	BinaryOperationNode: "leftOperand operator rightOperand",
	CaseNode: "value when else isStatement",
	CastNode: "expression dataType",
	CollateNode: "collation",
	ColumnNode: "column",
	ColumnUpdateNode: "column value",
	CommonTableExpressionNameNode: "table columns",
	CommonTableExpressionNode: "name materialized expression",
	DataTypeNode: "dataType",
	DefaultInsertValueNode: "",
	FetchNode: "rowCount modifier",
	FromNode: "froms",
	FunctionNode: "func arguments",
	GroupByItemNode: "groupBy",
	GroupByNode: "items",
	HavingNode: "having",
	IdentifierNode: "name",
	JoinNode: "joinType table on",
	JSONOperatorChainNode: "operator values",
	JSONPathLegNode: "type value",
	JSONPathNode: "inOperator pathLegs",
	JSONReferenceNode: "reference traversal",
	LimitNode: "limit",
	ListNode: "items",
	OffsetNode: "offset",
	OnConflictNode: "columns constraint indexExpression indexWhere updates updateWhere doNothing",
	OnDuplicateKeyNode: "updates",
	OnNode: "on",
	OperatorNode: "operator",
	OrActionNode: "action",
	OrderByItemNode: "orderBy direction nulls collation",
	OrderByNode: "items",
	OrNode: "left right",
	OverNode: "orderBy partitionBy",
	ParensNode: "node",
	PartitionByItemNode: "partitionBy",
	PartitionByNode: "items",
	PrimitiveValueListNode: "values",
	RawNode: "sqlFragments parameters",
	ReferenceNode: "column table",
	ReturningNode: "selections",
	SchemableIdentifierNode: "schema identifier",
	SelectAllNode: "",
	SelectionNode: "selection",
	SelectModifierNode: "modifier of",
	SetOperationNode: "operator expression all",
	TableNode: "table",
	TupleNode: "values",
	UnaryOperationNode: "operator operand",
	UsingNode: "tables",
	ValueListNode: "values",
	ValueNode: "value immediate",
	ValuesNode: "values",
	WhenNode: "condition result",
	WhereNode: "where",
	WithNode: "expressions recursive",
};

const PARTS_OF = new Map(Object.entries(PARTS).map(([kind, parts]) => [kind, new Set(parts.split(" "))]));

/** Parts that must not be raw SQL, with the kinds that they may be. */
const KINDS_OF_PART: Readonly<Record<string, string>> = {
	"AliasNode.alias": "IdentifierNode",
	"BinaryOperationNode.operator": "OperatorNode",
	"CollateNode.collation": "IdentifierNode",
	"ColumnNode.column": "IdentifierNode",
	"ColumnUpdateNode.column": "ColumnNode ReferenceNode",
	"CommonTableExpressionNode.name": "CommonTableExpressionNameNode",
	"InsertQueryNode.columns": "ColumnNode",
	"JSONOperatorChainNode.operator": "OperatorNode",
	"JSONPathNode.inOperator": "OperatorNode",
	"OnConflictNode.columns": "ColumnNode",
	"OnConflictNode.constraint": "IdentifierNode",
	"ReferenceNode.column": "ColumnNode SelectAllNode",
	"ReferenceNode.table": "TableNode",
	"SelectQueryNode.endModifiers": "SelectModifierNode",
	"SelectQueryNode.frontModifiers": "SelectModifierNode",
	"UnaryOperationNode.operator": "OperatorNode",
};

const SYMBOLS =
	"= == != <> > >= < <= @> <@ ^@ && ? ?& ?| !< !> <=> !~ ~ ~* !~* @@ @@@ !! <-> + - * / % ^ & | # << >> || -> ->> ->$ ->>$";
const WORDS = ["in", "is", "like", "ilike", "match", "regexp", "exists", "not", "between", "between symmetric"];
const NEGATED = ["not in", "is not", "not like", "not ilike", "not exists", "is distinct from", "is not distinct from"];

/** Texts that Kysely writes into the query as they are, with the values that they may have. */
const TEXTS_OF_PART: Readonly<Record<string, ReadonlySet<string>>> = {
	"FetchNode.modifier": new Set(["only", "with ties"]),
	"JSONPathLegNode.type": new Set(["Member", "ArrayLocation"]),
	"OperatorNode.operator": new Set([...SYMBOLS.split(" "), ...WORDS, ...NEGATED]),
	"OrActionNode.action": new Set(["abort", "fail", "ignore", "rollback", "replace"]),
	"OrderByItemNode.nulls": new Set(["first", "last"]),
	"SelectModifierNode.modifier": new Set([
		"Distinct",
		"ForKeyShare",
		"ForNoKeyUpdate",
		"ForShare",
		"ForUpdate",
		"NoWait",
		"SkipLocked",
	]),
	"SetOperationNode.operator": new Set(["union", "intersect", "except"]),
};

/** `varchar(255)`, `double precision` */
const DATA_TYPE = /^[a-z]+(?: [a-z]+)*(?:\(\d+(?:, ?\d+)?\))?$/i;

/** What may stand behind `in`. In SQLite, a name there is a table, whose rows would get no condition. */
const LISTS = new Set(["PrimitiveValueListNode", "ValueListNode", "SelectQueryNode", "ParensNode", "TupleNode"]);

/** Throws unless the node and its parts are listed. */
export const assertKnownNode = (node: QueryNode): void => {
	const parts = PARTS_OF.get(node.kind);
	if (!parts) throw rowError("ROW_QUERY_NOT_SUPPORTED", node.kind);
	for (const [name, part] of Object.entries(node)) {
		if (name === "kind" || part === undefined) continue;
		const path = `${node.kind}.${name}`;
		const kinds = KINDS_OF_PART[path]?.split(" ");
		const isKnown =
			parts.has(name) &&
			(!kinds || nodesOf(part).every(({ kind }) => kinds.includes(kind))) &&
			(TEXTS_OF_PART[path]?.has(String(part)) ?? true);
		if (!isKnown) throw rowError("ROW_QUERY_NOT_SUPPORTED", path);
	}
	if (node.kind === "DataTypeNode" && !DATA_TYPE.test(String(node.dataType)))
		throw rowError("ROW_QUERY_NOT_SUPPORTED", "DataTypeNode.dataType");
	if (isIn(node.operator) && !isList(node.rightOperand)) throw rowError("ROW_QUERY_NOT_SUPPORTED", "in without a list");
};

const isIn = (operator: unknown): boolean =>
	isNode(operator) && (operator.operator === "in" || operator.operator === "not in");

const isList = (operand: unknown): boolean =>
	isNode(operand) && (LISTS.has(operand.kind) || (operand.kind === "RawNode" && startsWithParenthesis(operand)));

const startsWithParenthesis = ({ sqlFragments }: QueryNode): boolean =>
	Array.isArray(sqlFragments) && String(sqlFragments[0]).trimStart().startsWith("(");
