import { STATUS_CODES } from "node:http";
import ts from "typescript";
import { filesBelow, isOfPackage, PACKAGE, sourceProgram, walk } from "./program.ts";

/** The names that Better Auth has for statuses: `NOT_FOUND` is 404. */
const STATUSES = new Map(
	Object.entries(STATUS_CODES).map(([status, name = ""]) => [
		name.toUpperCase().replaceAll(/\W+/g, "_"),
		Number(status),
	]),
);

const TABLE = /^(?:[A-Z]+(?:_[A-Z]+)*_ERROR_CODES|MOVE_COLLISIONS)$/;
/** Better Auth's own codes. They are documented there. */
const isOwnTable = (name: string): boolean => TABLE.test(name) && name !== "BASE_ERROR_CODES";

/**
 * A place in the code that sends codes with a status: `APIError.from("NOT_FOUND", CODES.TENANT_NOT_FOUND)`. Codes are named with
 * their table, because two tables have an `ACCOUNT_TAKEN`.
 */
export type Site = { node: ts.Node; status: number; codes: string[] };

/** Reads a place that sends codes. Null for everything else. */
export const siteOf = (node: ts.Node): Site | null => {
	const parts = partsOf(node);
	const status = parts && statusIn(parts[0]);
	if (!parts || status === null) return null;
	const codes = parts.slice(1).flatMap((part) => codesIn(part));
	return codes.length > 0 ? { node, status, codes } : null;
};

/** The status and what is sent with it. */
const partsOf = (node: ts.Node): readonly [ts.Node, ...ts.Node[]] | null => {
	if (ts.isArrayLiteralExpression(node)) return asParts(node.elements);
	if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return null;
	const [first, second] = node.arguments ?? [];
	if (ts.isCallExpression(node) && node.expression.getText() === "Response.json" && first && second) {
		const status = propertyOf(second, "status");
		return status && [status, first];
	}
	return asParts(node.arguments ?? []);
};

const asParts = (nodes: readonly ts.Node[]): [ts.Node, ...ts.Node[]] | null => {
	const [first, ...rest] = nodes;
	return first && rest.length > 0 ? [first, ...rest] : null;
};

const propertyOf = (node: ts.Node, name: string): ts.Node | null => {
	if (!ts.isObjectLiteralExpression(node)) return null;
	const found = node.properties.find((property) => property.name?.getText() === name);
	return found && ts.isPropertyAssignment(found) ? found.initializer : null;
};

export const statusIn = (node: ts.Node): number | null => {
	if (ts.isStringLiteral(node)) return STATUSES.get(node.text) ?? null;
	if (!ts.isNumericLiteral(node)) return null;
	return Number(node.text) >= 400 && Number(node.text) < 600 ? Number(node.text) : null;
};

/** The codes that an expression names: in place, by a constant, or by a function that returns them. */
const codesIn = (node: ts.Node, depth = 0): string[] => {
	const found: string[] = [];
	walk(node, (part) => {
		found.push(...namedIn(part));
		if (depth < 2 && ts.isIdentifier(part)) found.push(...codesBehind(part, depth + 1));
	});
	return [...new Set(found)];
};

/** The codes that this node itself names, such as `TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND`. */
export const namedIn = (node: ts.Node): string[] => {
	if (ts.isPropertyAccessExpression(node) && isOwnTable(node.expression.getText()))
		return [`${node.expression.getText()}.${node.name.text}`];
	if (ts.isElementAccessExpression(node) && isOwnTable(node.expression.getText())) return textsIn(node);
	if (ts.isBindingElement(node)) {
		const table = tableOf(node);
		return table === null ? [] : [`${table}.${(node.propertyName ?? node.name).getText()}`];
	}
	// `refusal("TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS", seconds)`: the status is first
	if (ts.isStringLiteral(node) && ts.isCallExpression(node.parent) && node.parent.arguments[0] !== node)
		return qualified(node.text);
	return [];
};

const textsIn = ({ argumentExpression }: ts.ElementAccessExpression): string[] => {
	const texts: string[] = [];
	walk(argumentExpression, (part) => {
		if (ts.isStringLiteral(part)) texts.push(...qualified(part.text));
	});
	return texts;
};

/** `TENANT_AUTH_ERROR_CODES` of `const { TENANT_NOT_FOUND } = TENANT_AUTH_ERROR_CODES`. */
const tableOf = ({ parent: { parent } }: ts.BindingElement): string | null => {
	const table = ts.isVariableDeclaration(parent) ? (parent.initializer?.getText() ?? "") : "";
	return isOwnTable(table) ? table : null;
};

const codesBehind = (name: ts.Identifier, depth: number): string[] => {
	const checker = sourceProgram().getTypeChecker();
	const isShort = ts.isShorthandPropertyAssignment(name.parent);
	const symbol = isShort ? checker.getShorthandAssignmentValueSymbol(name.parent) : checker.getSymbolAtLocation(name);
	const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
	return (target?.declarations ?? []).filter(isOfPackage).flatMap((declaration) => {
		if (ts.isBindingElement(declaration)) {
			const { parent } = declaration.parent;
			const own = namedIn(declaration);
			if (own.length > 0) return own;
			return ts.isVariableDeclaration(parent) ? codesOf(parent, depth) : [];
		}
		return ts.isVariableDeclaration(declaration) ? codesOf(declaration, depth) : [];
	});
};

/** The codes that a constant stands for. The result of a call is something else. */
const codesOf = ({ initializer }: ts.VariableDeclaration, depth: number): string[] =>
	initializer && !ts.isCallExpression(initializer) && !ts.isAwaitExpression(initializer)
		? codesIn(initializer, depth)
		: [];

let tables: Map<string, string[]> | undefined;
const qualified = (text: string): string[] => {
	tables ??= codeTables();
	return [...tables].filter(([, codes]) => codes.includes(text)).map(([table]) => `${table}.${text}`);
};

/** Every table of codes in the package, with the codes as they stand in the source. */
export const codeTables = (): Map<string, string[]> => {
	const tables = new Map<string, string[]>();
	for (const file of filesBelow(PACKAGE))
		for (const statement of file.statements) {
			if (!ts.isVariableStatement(statement)) continue;
			for (const { name, initializer } of statement.declarationList.declarations) {
				if (!TABLE.test(name.getText()) || !initializer || !ts.isCallExpression(initializer)) continue;
				const [messages] = initializer.arguments;
				if (messages && ts.isObjectLiteralExpression(messages))
					tables.set(
						name.getText(),
						messages.properties.map((property) => property.name?.getText() ?? ""),
					);
			}
		}
	return tables;
};

/** The statuses that each code of the package is sent with. */
export const statusesOfCodes = (): Map<string, Set<number>> => {
	const statuses = new Map<string, Set<number>>();
	for (const file of filesBelow(PACKAGE))
		walk(file, (node) => {
			const site = siteOf(node);
			if (!site) return;
			for (const code of site.codes) statuses.set(code, (statuses.get(code) ?? new Set()).add(site.status));
		});
	return statuses;
};
