import ts from "typescript";
import { type Docs, docsOf, isNameOfOptions, parametersOf, referencedType } from "../public-docs.ts";
import { sourceProgram } from "./program.ts";
import { type Export, kindOf, open, publicExports, typeText } from "./public-api.ts";

/**
 * An option, or a group of options. `path` is the name from the top: `management.impersonation.maxAge`. Of the options in
 * `oneOf`, a caller sets one.
 */
export type Option = {
	path: string;
	type: string;
	isRequired: boolean;
	isGroup: boolean;
	docs: Docs;
	oneOf?: string[];
};

/** An option that the function passes on to Better Auth, which documents it. */
type ForeignOption = { path: string; type: string; isRequired: boolean; text: string };

/** The functions that accept the same options. */
export type Options = {
	typeName: string;
	functions: Export[];
	docs: Docs;
	options: Option[];
	foreign: ForeignOption[];
};

/** Whether a type is one of options: by its name, or because a member has a default. */
const isOptionsType = (alias: ts.TypeAliasDeclaration): boolean =>
	isNameOfOptions(alias.name.text) ||
	alias.name.text.endsWith("Config") ||
	optionsIn(alias.type, "").some(({ docs }) => docs.fallback !== null);

/** All options of all exported functions. Those of `tenantAuth` come first. */
export const allOptions = (): Options[] => {
	const found = new Map<ts.TypeAliasDeclaration, Options>();
	for (const one of publicExports().filter((exported) => kindOf(exported) === "function"))
		for (const { type } of parametersOf(one.declaration) ?? []) {
			const named = type && constraintOf(one, type);
			const alias = named && ts.isTypeReferenceNode(named) ? referencedType(open, named) : null;
			if (!alias || !isOptionsType(alias)) continue;
			const known = found.get(alias) ?? { ...readOptions(alias), functions: [] };
			found.set(alias, { ...known, functions: [...known.functions, one] });
		}
	const isFirst = ({ typeName }: Options): number => (typeName === "TenantAuthOptions" ? 0 : 1);
	return [...found.values()].toSorted((one, other) => isFirst(one) - isFirst(other));
};

/** What a type parameter extends: `RedisConfig` in `<Config extends RedisConfig>(config: Config)`. */
const constraintOf = ({ declaration }: Export, type: ts.TypeNode): ts.TypeNode => {
	const made = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
	const parameters = made && ts.isArrowFunction(made) ? (made.typeParameters ?? []) : [];
	return parameters.find(({ name }) => name.text === type.getText())?.constraint ?? type;
};

const readOptions = (alias: ts.TypeAliasDeclaration): Omit<Options, "functions"> => {
	const options = optionsIn(alias.type, "");
	for (const { path, docs } of options)
		if (!docs.text) throw new Error(`${alias.name.text}: ${path} has no JSDoc sentence. Add it to the type.`);
	return {
		typeName: alias.name.text,
		docs: docsOf(alias),
		options,
		foreign: foreignOptions(alias, new Set(options.map(({ path }) => path))),
	};
};

/** The options in a type of the package, and in the types that it names. */
const optionsIn = (type: ts.TypeNode, prefix: string): Option[] => {
	if (ts.isTypeLiteralNode(type))
		return type.members
			.filter(ts.isPropertySignature)
			.filter(({ type }) => !type || !RULED_OUT.has(type.kind))
			.flatMap((member) => optionOf(member, prefix));
	if (ts.isIntersectionTypeNode(type)) return type.types.flatMap((part) => optionsIn(part, prefix));
	if (ts.isUnionTypeNode(type)) return alternatives(type.types.map((part) => optionsIn(part, prefix)));
	if (ts.isParenthesizedTypeNode(type)) return optionsIn(type.type, prefix);
	if (!ts.isTypeReferenceNode(type)) return [];
	const [whole] = type.typeArguments ?? [];
	if (whole && type.typeName.getText() === "Partial")
		return optionsIn(whole, prefix).map((option) => ({ ...option, isRequired: false }));
	const alias = referencedType(open, type);
	return alias && isGroup(alias) ? optionsIn(alias.type, prefix) : [];
};

/** Whether a type is a group of options. A function with properties, such as a resolver, is a value, and so is a client. */
const isGroup = ({ name, type }: ts.TypeAliasDeclaration): boolean =>
	ts.isTypeLiteralNode(type) &&
	type.members.every(ts.isPropertySignature) &&
	(isNameOfOptions(name.text) || type.members.every((member) => docsOf(member).text !== ""));

/** `where?: undefined` rules an option out in one part of a union. */
const RULED_OUT = new Set([ts.SyntaxKind.NeverKeyword, ts.SyntaxKind.UndefinedKeyword]);

/** The options of a union. If several parts have options, a caller sets those of one part. */
const alternatives = (parts: Option[][]): Option[] => {
	const filled = parts.filter((part) => part.length > 0);
	if (filled.length < 2) return filled.flat();
	const oneOf = filled.flat().map(({ path }) => path);
	return filled.flat().map((option) => ({ ...option, oneOf }));
};

const optionOf = (member: ts.PropertySignature, prefix: string): Option[] => {
	const path = `${prefix}${member.name.getText()}`;
	const own = docsOf(member);
	const type = member.type ? typeText(member.type) : "unknown";
	// a literal on one line is a value, such as { id: string }, and described as a whole
	const isValue = member.type && ts.isTypeLiteralNode(member.type) && !member.type.getText().includes("\n");
	const inner = member.type && !isValue ? optionsIn(member.type, `${path}.`) : [];
	const group = member.type && ts.isTypeReferenceNode(member.type) ? referencedType(open, member.type) : null;
	const docs = group && inner.length > 0 ? { ...own, examples: [...own.examples, ...docsOf(group).examples] } : own;
	return [{ path, type, isRequired: !member.questionToken, isGroup: inner.length > 0, docs }, ...inner];
};

const foreignOptions = (alias: ts.TypeAliasDeclaration, own: Set<string>): ForeignOption[] => {
	const checker = sourceProgram().getTypeChecker();
	return checker
		.getTypeFromTypeNode(alias.type)
		.getProperties()
		.filter(({ name }) => !own.has(name))
		.map((property) => ({
			path: property.name,
			type: checker.typeToString(checker.getTypeOfSymbolAtLocation(property, alias)),
			isRequired: (property.flags & ts.SymbolFlags.Optional) === 0,
			text: ts.displayPartsToString(property.getDocumentationComment(checker)),
		}));
};
