import { resolve } from "node:path";
import ts from "typescript";
import {
	type Declaration,
	type Docs,
	docsOf,
	exportsOf,
	findDeclaration,
	type Open,
	parametersOf,
	publishedEntries,
} from "../public-docs.ts";
import { PACKAGE, packageFile, sourceProgram } from "./program.ts";

/** Opens files of the program, so that nodes have types. */
export const open: Open = (file) => packageFile(resolve(PACKAGE, file));

export type Export = { entry: string; name: string; declaration: Declaration; docs: Docs };

/** Every export of every published entry, in the order of the sources. */
export const publicExports = (): Export[] =>
	publishedEntries().flatMap(({ name: entry, file: source }) =>
		exportsOf(open, source).map(({ name, declared, file }) => {
			const declaration = findDeclaration(open, file, declared);
			if (!declaration) throw new Error(`${entry}: the declaration of ${name} was not found. Export it by name.`);
			const docs = docsOf(declaration);
			if (!docs.text) throw new Error(`${entry}: ${name} has no JSDoc sentence. Add it to its declaration.`);
			return { entry, name, declaration, docs };
		}),
	);

export const kindOf = ({ declaration }: Export): "function" | "type" | "constant" => {
	if (ts.isTypeAliasDeclaration(declaration)) return "type";
	return parametersOf(declaration) ? "function" : "constant";
};

/** The signature of an export, as a reader would write it. */
export const signatureOf = (one: Export): string => {
	const { declaration, name } = one;
	if (ts.isTypeAliasDeclaration(declaration)) return printed(declaration).replace(/^export /, "");
	const parameters = parametersOf(declaration);
	if (!parameters) return `const ${name}: ${shownType(declaration) ?? "…"};`;
	const made = ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
	if (!made || (!ts.isArrowFunction(made) && !ts.isFunctionDeclaration(made))) return name;
	const generics = made.typeParameters?.map((parameter) => printed(parameter)).join(", ");
	const result = made.type ? printed(made.type) : returnType(made);
	return `${name}${generics ? `<${generics}>` : ""}(${parameters.map(parameterText).join(", ")})${result ? `: ${result}` : ""}`;
};

const parameterText = (parameter: ts.ParameterDeclaration): string => {
	const isOptional = parameter.initializer || parameter.questionToken;
	const type = parameter.type ? printed(parameter.type).replaceAll(/\s*\n\s*/g, " ") : "unknown";
	const taken = type.endsWith("Props") ? "props" : "options";
	const name = ts.isIdentifier(parameter.name) ? parameter.name.text : taken;
	return `${parameter.dotDotDotToken ? "..." : ""}${name}${isOptional ? "?" : ""}: ${type}`;
};

/** Longer types say less than the sentence. */
const LONGEST = 160;

const returnType = (made: ts.ArrowFunction | ts.FunctionDeclaration): string | null => {
	const checker = sourceProgram().getTypeChecker();
	const signature = checker.getSignatureFromDeclaration(made);
	const text = signature && checker.typeToString(signature.getReturnType(), made);
	return text && text.length <= LONGEST && !text.includes("...") ? text : null;
};

const shownType = (declaration: Declaration): string | null => {
	const checker = sourceProgram().getTypeChecker();
	const text = checker.typeToString(checker.getTypeAtLocation(declaration));
	return text.length <= LONGEST && !text.includes("...") ? text : null;
};

const printer = ts.createPrinter({ removeComments: true });

const printed = (node: ts.Node): string => printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());

/** The text of a type on one line. */
export const typeText = (type: ts.TypeNode): string => printed(type).replaceAll(/\s*\n\s*/g, " ");
