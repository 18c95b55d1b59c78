import ts from "typescript";
import { isOfPackage, packageFile, sourceProgram, walk } from "./program.ts";
import { type ReachableCode, reachableCodes } from "./reachable-codes.ts";

/** Who may call an endpoint: `management.guard({ action: "tenant:create", … })`. */
export type Guard = { action: string; requires: string | null; operatorsOnly: boolean };

/** What the sources say about an endpoint. */
export type EndpointSource = {
	/** the folder of its file, such as `oauth` */
	folder: string;
	/** the JSDoc of the function that creates it */
	sentence: string;
	guard: Guard | null;
	codes: ReachableCode[];
};

/** Finds the property of an object in a file: `hooks` of `src/plugin.ts`. */
const propertyIn = (file: string, name: string): ts.ObjectLiteralElementLike => {
	let found: ts.ObjectLiteralElementLike | undefined;
	walk(packageFile(file), (node) => {
		const isOne = ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
		if (!found && isOne && node.name.getText() === name) found = node;
	});
	if (!found) throw new Error(`${file} has no property ${name}. Change the generator.`);
	return found;
};

/** Reads the endpoints of plugin.ts, by their name in `auth.api`. */
export const endpointSources = (): Map<string, EndpointSource> => {
	const endpoints = propertyIn("src/plugin.ts", "endpoints");
	if (!ts.isPropertyAssignment(endpoints) || !ts.isObjectLiteralExpression(endpoints.initializer))
		throw new Error("The endpoints of src/plugin.ts are not an object. Change the generator.");
	const sources = endpoints.initializer.properties.map((property): [string, EndpointSource] => {
		if (!ts.isPropertyAssignment(property) || !ts.isCallExpression(property.initializer))
			throw new Error(`${property.getText()} is not a call that creates an endpoint. Change the generator.`);
		return [property.name.getText(), sourceOf(property.initializer)];
	});
	return new Map(sources);
};

const sourceOf = (call: ts.CallExpression): EndpointSource => {
	const checker = sourceProgram().getTypeChecker();
	const symbol = checker.getSymbolAtLocation(call.expression);
	const created = symbol && checker.getAliasedSymbol(symbol);
	const [declaration] = (created?.declarations ?? []).filter(isOfPackage);
	if (!created || !declaration) throw new Error(`${call.getText()} is not created in this package.`);
	const [, folder = ""] = /\/src\/([\w-]+)\//.exec(declaration.getSourceFile().fileName) ?? [];
	const guard = guardIn(declaration.getSourceFile());
	return {
		folder,
		sentence: ts.displayPartsToString(created.getDocumentationComment(checker)),
		guard,
		// the arguments are functions that the endpoint calls, such as the check of slugs
		codes: reachableCodes([declaration, ...call.arguments], guard?.requires ?? null),
	};
};

const guardIn = (file: ts.SourceFile): Guard | null => {
	let guard: Guard | null = null;
	walk(file, (node) => {
		if (!ts.isCallExpression(node) || node.expression.getText() !== "management.guard") return;
		const text = node.getText();
		const read = (name: string): string | null => new RegExp(`${name}: "?([\\w:-]+)`).exec(text)?.[1] ?? null;
		guard = {
			action: read("action") ?? "",
			requires: read("requires"),
			operatorsOnly: read("operatorsOnly") === "true",
		};
	});
	return guard;
};

/** The codes of what runs around every endpoint: guards, pinning, limits, and the scoped database. */
export const codesOfEveryEndpoint = (): ReachableCode[] =>
	reachableCodes([
		propertyIn("src/plugin.ts", "hooks"),
		functionIn("src/guards/on-request.ts", "onRequest"),
		propertyIn("src/start-services.ts", "requestScope"),
		functionIn("src/scope/adapter.ts", "scopeAdapter"),
		functionIn("src/hashing/bounded-hashing.ts", "boundHashing"),
	]);

const functionIn = (file: string, name: string): ts.Node => {
	for (const statement of packageFile(file).statements)
		if (ts.isVariableStatement(statement))
			for (const declaration of statement.declarationList.declarations)
				if (declaration.name.getText() === name) return declaration;
	throw new Error(`${file} has no ${name}. Change the generator.`);
};
