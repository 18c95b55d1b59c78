import ts from "typescript";
import { isOfPackage, sourceProgram, walk } from "./program.ts";
import { namedIn, siteOf } from "./thrown-codes.ts";

/** A code that a piece of code can send. The status is null if the code is a part of the response. */
export type ReachableCode = { code: string; status: number | null };

/** What the guard of an endpoint requires: `transfer`, `impersonation` or nothing. */
type Requires = string | null;

type Search = { requires: Requires; visited: Set<ts.Node>; found: Map<string, ReachableCode> };

/**
 * Finds the codes that a piece of code can send: those in it, and in the functions of the package that it calls. Follows calls,
 * methods and functions that are passed on. Does not follow a function that is only known by its type, and nothing into
 * Better Auth.
 */
export const reachableCodes = (starts: ts.Node[], requires: Requires = null): ReachableCode[] => {
	const search: Search = { requires, visited: new Set(), found: new Map() };
	for (const start of starts) follow(search, start, false);
	return [...search.found.values()].toSorted(
		(one, other) => (one.status ?? 600) - (other.status ?? 600) || one.code.localeCompare(other.code),
	);
};

const follow = (search: Search, start: ts.Node, isCaught: boolean): void => {
	if (search.visited.has(start)) return;
	search.visited.add(start);
	walk(start, (node) => {
		if (isRuledOut(node, search.requires)) return;
		const caught = isCaught || isCollected(node, start);
		const site = siteOf(node);
		if (site) add(search, site.codes, caught ? null : site.status);
		else if (!isInSite(node, start) && !isCompared(node)) add(search, namedIn(node), null);
		for (const target of targetsOf(node)) follow(search, target, caught);
	});
};

const add = ({ found }: Search, codes: string[], status: number | null): void => {
	for (const code of codes) {
		const key = `${code} ${status}`;
		// a code that is thrown is also named, for example for the audit
		const isKnown = status === null && [...found.values()].some((one) => one.code === code);
		if (!isKnown) found.set(key, { code, status });
		if (status !== null) found.delete(`${code} null`);
	}
};

/** Whether a node is inside of `if (requires === "transfer" …)` and the endpoint requires something else. */
const isRuledOut = (node: ts.Node, requires: Requires): boolean => {
	for (let at = node; at.parent; at = at.parent) {
		if (!ts.isIfStatement(at.parent) || at !== at.parent.thenStatement) continue;
		const [, needed] = /\brequires === "(\w+)"/.exec(at.parent.expression.getText()) ?? [];
		if (needed !== undefined && needed !== requires) return true;
	}
	return false;
};

/** Whether errors at this place are collected in `refused` instead of thrown. */
const isCollected = (node: ts.Node, start: ts.Node): boolean => {
	for (let at = node; at !== start && at.parent; at = at.parent)
		if (ts.isTryStatement(at.parent) && at === at.parent.tryBlock)
			return /\brefused\.push\(/.test(at.parent.catchClause?.getText() ?? "");
	return false;
};

const isInSite = (node: ts.Node, start: ts.Node): boolean => {
	for (let at = node; at !== start && at.parent; at = at.parent) if (siteOf(at.parent)) return true;
	return isDeclaredForSite(node);
};

/** `const missing = CODES.X`: it counts where the constant is used. */
const isDeclaredForSite = (node: ts.Node): boolean => {
	if (ts.isBindingElement(node)) return true;
	for (let at = node; at.parent; at = at.parent) {
		if (ts.isVariableDeclaration(at.parent)) return at === at.parent.initializer;
		if (!ts.isPropertyAccessExpression(at.parent)) return false;
	}
	return false;
};

/** `error.body?.code === CODES.X.code` */
const isCompared = ({ parent }: ts.Node): boolean => {
	if (!parent || !ts.isPropertyAccessExpression(parent)) return false;
	return ts.isBinaryExpression(parent.parent) || parent.name.text === "code";
};

/** The functions that a node calls or passes on. */
const targetsOf = (node: ts.Node): ts.Node[] => {
	const checker = sourceProgram().getTypeChecker();
	if (ts.isCallExpression(node)) {
		const { declaration } = checker.getResolvedSignature(node) ?? {};
		return declaration && isOfPackage(declaration) ? [declaration] : [];
	}
	if (!ts.isIdentifier(node)) return [];
	const { parent } = node;
	const symbol = ts.isShorthandPropertyAssignment(parent)
		? checker.getShorthandAssignmentValueSymbol(parent)
		: checker.getSymbolAtLocation(node);
	const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
	const declared = (target?.declarations ?? []).filter(isOfPackage).flatMap(functionsIn);
	// a constant that a factory returned: `const checkSlug = createSlugCheck(…)`
	const ofType = target ? checker.getTypeOfSymbolAtLocation(target, node).getCallSignatures() : [];
	return [
		...declared,
		...ofType.flatMap(({ declaration }) => (declaration && isOfPackage(declaration) ? [declaration] : [])),
	];
};

const functionsIn = (declaration: ts.Declaration): ts.Node[] => {
	if (ts.isFunctionDeclaration(declaration) || ts.isMethodDeclaration(declaration)) return [declaration];
	if (!ts.isVariableDeclaration(declaration) && !ts.isPropertyAssignment(declaration)) return [];
	const { initializer } = declaration;
	return initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)) ? [initializer] : [];
};
