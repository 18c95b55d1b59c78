import ts from "typescript";
import { isOfPackage, packageFile, sourceProgram, walk } from "./program.ts";
import { type ReachableCode, reachableCodes } from "./reachable-codes.ts";

/** Who may call an endpoint: `management.guard({ action: "tenant:create", … })`. */
export type Guard = {
	action: string;
	requires: string | null;
	operatorsOnly: boolean;
	/** who of the tenant may call it where `tenantAdmin()` is used */
	admitted: "admins" | "owners" | null;
};

/** What the sources say about an endpoint. */
export type EndpointSource = {
	/** the folder of its file, such as `oauth` */
	folder: string;
	/** the JSDoc of the function that creates it */
	sentence: string;
	guard: Guard | null;
	codes: ReachableCode[];
};

/** Finds the property of an object in a file: `hooks` of `src/plugin/plugin.ts`. */
const propertyIn = (file: string, name: string): ts.ObjectLiteralElementLike => {
	let found: ts.ObjectLiteralElementLike | undefined;
	walk(packageFile(file), (node) => {
		const isOne = ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
		if (!found && isOne && node.name.getText() === name) found = node;
	});
	if (!found) throw new Error(`${file} has no property ${name}. Change the generator.`);
	return found;
};

/** What a plugin hands to its features, by name. */
type Given = Map<string, ts.Node>;

/** Reads the endpoints of a plugin's file and of the features that it folds, by their name in `auth.api`. */
export const endpointSources = (file: string, parts: Given = new Map()): Map<string, EndpointSource> => {
	const { object, given } = endpointsIn(file, parts);
	return new Map(
		object.properties.flatMap((property): [string, EndpointSource][] => {
			if (ts.isSpreadAssignment(property)) return [...featureSources(property, given)];
			if (!ts.isPropertyAssignment(property) || !ts.isCallExpression(property.initializer))
				throw new Error(`${property.getText()} is not a call that creates an endpoint. Change the generator.`);
			return [[property.name.getText(), sourceOf(property.initializer, given)]];
		}),
	);
};

/** The object with the endpoints: of a plugin, what the function of a feature returns, or what `featureEndpoints(parts)` returns. */
const endpointsIn = (file: string, parts: Given): { object: ts.ObjectLiteralExpression; given: Given } => {
	const endpoints = propertyIn(file, "endpoints");
	let value: ts.Node | undefined = ts.isPropertyAssignment(endpoints) ? endpoints.initializer : undefined;
	let given = parts;
	if (value && ts.isCallExpression(value)) {
		given = givenBy(value);
		const called = declarationOf(value.expression);
		value = called && ts.isVariableDeclaration(called) ? called.initializer : undefined;
	}
	if (value && ts.isArrowFunction(value)) value = value.body;
	while (value && ts.isParenthesizedExpression(value)) value = value.expression;
	if (!value || !ts.isObjectLiteralExpression(value))
		throw new Error(`The endpoints of ${file} are not an object. Change the generator.`);
	return { object: value, given };
};

const declarationOf = (node: ts.Node): ts.Declaration | undefined => {
	const checker = sourceProgram().getTypeChecker();
	const symbol = checker.getSymbolAtLocation(node);
	return (symbol && (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
		?.declarations?.[0];
};

/** The parts in `const parts = { … }` of `featureEndpoints(parts)`. */
const givenBy = ({ arguments: [argument] }: ts.CallExpression): Given => {
	const parts = argument && declarationOf(argument);
	const given: Given = new Map();
	if (
		!parts ||
		!ts.isVariableDeclaration(parts) ||
		!parts.initializer ||
		!ts.isObjectLiteralExpression(parts.initializer)
	)
		throw new Error(`${argument?.getText()} is not an object of parts. Change the generator.`);
	for (const part of parts.initializer.properties)
		if (ts.isPropertyAssignment(part)) given.set(part.name.getText(), part.initializer);
	return given;
};

/** The endpoints of `...domains.endpoints(parts)`. */
const featureSources = ({ expression }: ts.SpreadAssignment, given: Given): Map<string, EndpointSource> => {
	const called = ts.isCallExpression(expression) ? expression.expression : undefined;
	const feature = called && ts.isPropertyAccessExpression(called) ? declarationOf(called.expression) : undefined;
	if (!feature) throw new Error(`${expression.getText()} is not the endpoints of a feature. Change the generator.`);
	const [, file = ""] = /\/(src\/.+)$/.exec(feature.getSourceFile().fileName) ?? [];
	return endpointSources(file, given);
};

const sourceOf = (call: ts.CallExpression, given: Given): EndpointSource => {
	const checker = sourceProgram().getTypeChecker();
	const symbol = checker.getSymbolAtLocation(call.expression);
	const created = symbol && checker.getAliasedSymbol(symbol);
	const [declaration] = (created?.declarations ?? []).filter(isOfPackage);
	if (!created || !declaration) throw new Error(`${call.getText()} is not created in this package.`);
	const [, folder = ""] = /\/src\/(?:features\/)?([\w-]+)\//.exec(declaration.getSourceFile().fileName) ?? [];
	const guard = guardIn(declaration.getSourceFile(), call);
	return {
		folder,
		sentence: ts.displayPartsToString(created.getDocumentationComment(checker)),
		guard,
		// the arguments are functions that the endpoint calls, such as the check of slugs
		codes: reachableCodes(
			[declaration, ...call.arguments.map((argument) => given.get(argument.getText()) ?? argument)],
			guard?.requires ?? null,
		),
	};
};

/** The functions that guard endpoints. Those of companions find the management of the instance themselves. */
const GUARDS = new Set(["management.guard", "guardManagement", "guardUsers", "guardState"]);

const guardIn = (file: ts.SourceFile, created: ts.CallExpression): Guard | null => {
	let guard: Guard | null = null;
	walk(file, (node) => {
		if (!ts.isCallExpression(node) || !GUARDS.has(node.expression.getText())) return;
		const action = actionOf(node, created);
		const read = (name: string): string | null => new RegExp(`${name}: "?([\\w:-]+)`).exec(node.getText())?.[1] ?? null;
		guard = {
			action,
			requires: read("requires"),
			operatorsOnly: read("operatorsOnly") === "true" || node.expression.getText() === "guardState",
			admitted: admittedBy(action),
		};
	});
	return guard;
};

/** The action that a guard names: `{ action: "tenant:get" }`, `"user:list"`, or a part of it as the endpoint's `verb`. */
const actionOf = (guard: ts.CallExpression, created: ts.CallExpression): string => {
	const [, action = ""] = /(?:action: |\()["`]([\w:${}-]+)["`]/.exec(guard.getText()) ?? [];
	const [, verb = ""] = /\bverb: "(\w+)"/.exec(created.getText()) ?? [];
	const named = action.replace(/\$\{verb\}/, verb);
	if (!/^[\w-]+:[\w-]+$/.test(named)) throw new Error(`${guard.getText()} names no action. Change the generator.`);
	return named;
};

/** Reads from admin/allowed-actions.ts who of a tenant may do something in it. */
const admittedBy = (action: string): Guard["admitted"] => {
	const [, who] =
		new RegExp(`"${action}": "(admins|owners)"`).exec(packageFile("src/features/admin/allowed-actions.ts").text) ?? [];
	return who === "admins" || who === "owners" ? who : null;
};

/** The codes of what runs around every endpoint: guards, pinning, limits, bounds, and the scoped database. */
export const codesOfEveryEndpoint = (): ReachableCode[] =>
	reachableCodes([
		propertyIn("src/plugin/plugin.ts", "hooks"),
		functionIn("src/plugin/on-request.ts", "onRequest"),
		functionIn("src/plugin/start-services.ts", "requestScope"),
		functionIn("src/scope/data/adapter.ts", "scopeAdapter"),
		functionIn("src/load/bounds/bounded-adapter.ts", "boundFields"),
		functionIn("src/load/hashing/bounded-hashing.ts", "boundHashing"),
	]);

/** Finds what a constant of a file is: `boundHashing` of `src/load/hashing/bounded-hashing.ts`. */
const functionIn = (file: string, name: string): ts.Node => {
	let found: ts.Node | undefined;
	walk(packageFile(file), (node) => {
		if (!found && ts.isVariableDeclaration(node) && node.name.getText() === name) found = node;
	});
	if (!found) throw new Error(`${file} has no ${name}. Change the generator.`);
	return found;
};
