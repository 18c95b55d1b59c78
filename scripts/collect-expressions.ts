import ts from "typescript";

/** A regular expression and its position. */
type Expression = { file: string; line: number; source: string; flags: string };

/** An expression that is built at run time. */
type Unreadable = { file: string; line: number; text: string };

type Collected = { expressions: Expression[]; unreadable: Unreadable[] };

/** All regular expressions of a file: literals, and calls of `RegExp` with constants of the same file. */
export const collectExpressions = (file: string, text: string): Collected => {
	const code = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const constants = readConstants(code);
	const collected: Collected = { expressions: [], unreadable: [] };
	const visit = (node: ts.Node): void => {
		const line = code.getLineAndCharacterOfPosition(node.getStart()).line + 1;
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf("/");
			collected.expressions.push({ file, line, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
		} else if (isRegExpCall(node)) {
			const [pattern, given] = node.arguments ?? [];
			const source = pattern && evaluate(pattern, constants);
			const flags = given ? evaluate(given, constants) : "";
			if (typeof source === "string" && typeof flags === "string")
				collected.expressions.push({ file, line, source, flags });
			// a copy of an expression counts where the original is
			else if (!pattern || !ts.isRegularExpressionLiteral(pattern))
				collected.unreadable.push({ file, line, text: node.getText() });
		}
		ts.forEachChild(node, visit);
	};
	visit(code);
	return collected;
};

const isRegExpCall = (node: ts.Node): node is ts.NewExpression | ts.CallExpression =>
	(ts.isNewExpression(node) || ts.isCallExpression(node)) &&
	ts.isIdentifier(node.expression) &&
	node.expression.text === "RegExp";

/** `const NAME = …` at the top of the file. */
const readConstants = (code: ts.SourceFile): Map<string, ts.Expression> => {
	const constants = new Map<string, ts.Expression>();
	for (const statement of code.statements) {
		if (!ts.isVariableStatement(statement) || !(statement.declarationList.flags & ts.NodeFlags.Const)) continue;
		for (const { name, initializer } of statement.declarationList.declarations)
			if (ts.isIdentifier(name) && initializer) constants.set(name.text, initializer);
	}
	return constants;
};

/** The text of an expression: a literal, a template, a constant, or a joined list of those. */
const evaluate = (node: ts.Expression, constants: Map<string, ts.Expression>): string | null => {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isIdentifier(node)) {
		const constant = constants.get(node.text);
		return constant ? evaluate(constant, constants) : null;
	}
	if (ts.isTemplateExpression(node)) {
		const parts = node.templateSpans.map(({ expression, literal }) => [evaluate(expression, constants), literal.text]);
		return parts.some(([value]) => value === null) ? null : node.head.text + parts.flat().join("");
	}
	if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
	const { expression: list, name } = node.expression;
	const [between] = node.arguments;
	if (name.text !== "join" || !between || !ts.isArrayLiteralExpression(list)) return null;
	const separator = evaluate(between, constants);
	const parts = list.elements.map((element) => evaluate(element, constants));
	return separator === null || parts.includes(null) ? null : parts.join(separator);
};
