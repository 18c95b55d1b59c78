import { join } from "node:path";
import ts from "typescript";
import {
	type Declaration,
	docsOf,
	exportsOf,
	findDeclaration,
	isExport,
	isNameOfOptions,
	type Open,
	openTexts,
	parametersOf,
	publicEntries,
	type Read,
	readSource,
	referencedType,
} from "./public-docs.ts";

/** What one run has read so far. A type that two exports share is checked once. */
type Run = { open: Open; checked: Set<Declaration>; problems: string[] };

/** An option group with an example documents its options. */
type Group = { name: string; isOptions: boolean; hasExample: boolean };

/**
 * Finds exports of an entry without a JSDoc sentence, functions and options without an `@example`, options without a
 * `@default`, and examples that do not parse. Follows the types of the same package that an exported type or a parameter of an
 * exported function names.
 */
export const findUndocumented = (entries: string[], read: Read): string[] => {
	const run: Run = { open: openTexts(read), checked: new Set(), problems: [] };
	for (const entry of entries) {
		for (const { name, declared, file } of exportsOf(run.open, entry)) {
			const found = findDeclaration(run.open, file, declared);
			if (found) checkDeclaration(run, name, found);
			else run.problems.push(`${entry}: ${name} is exported, but its declaration was not found. Export it by name.`);
		}
	}
	return run.problems;
};

const checkDeclaration = (run: Run, name: string, declaration: Declaration): void => {
	if (run.checked.has(declaration)) return;
	run.checked.add(declaration);
	const docs = checkDocs(run, declaration, name);
	const parameters = parametersOf(declaration);
	const isOptions = isNameOfOptions(name);
	if ((parameters || isOptions) && docs && !docs.hasExample) complain(run, declaration, `${name} has no @example.`);
	for (const { type } of parameters ?? [])
		if (type && ts.isTypeReferenceNode(type) && isNameOfOptions(type.typeName.getText()))
			checkType(run, type, { name, isOptions: true, hasExample: docs?.hasExample ?? false });
	if (ts.isTypeAliasDeclaration(declaration))
		checkType(run, declaration.type, { name, isOptions, hasExample: docs?.hasExample ?? false });
};

/** Checks the properties of a type, and of the types of the package that it names. */
const checkType = (run: Run, type: ts.TypeNode, group: Group): void => {
	if (ts.isTypeLiteralNode(type)) {
		// what stands before a literal on one line describes all of it
		if (!type.getText().includes("\n")) return;
		for (const member of type.members) if (ts.isPropertySignature(member)) checkProperty(run, member, group);
	} else if (ts.isIntersectionTypeNode(type) || ts.isUnionTypeNode(type)) {
		for (const part of type.types) checkType(run, part, group);
	} else if (ts.isParenthesizedTypeNode(type)) checkType(run, type.type, group);
	else if (ts.isArrayTypeNode(type)) checkType(run, type.elementType, group);
	else if (ts.isTypeReferenceNode(type)) {
		for (const argument of type.typeArguments ?? []) checkType(run, argument, group);
		const found = referencedType(run.open, type);
		if (!found) return;
		if (isNameOfOptions(found.name.text) || found.modifiers?.some(isExport))
			checkDeclaration(run, found.name.text, found);
		else if (!run.checked.has(found)) {
			run.checked.add(found);
			checkType(run, found.type, group);
		}
	}
};

const checkProperty = (run: Run, property: ts.PropertySignature, group: Group): void => {
	const { type } = property;
	const name = `${group.name}.${property.name.getText()}`;
	const docs = checkDocs(run, property, name);
	if (!type || !docs) return;
	const isGroup = ts.isTypeReferenceNode(type) && isNameOfOptions(type.typeName.getText());
	if (group.isOptions && !isGroup) {
		if (!docs.hasExample && !group.hasExample) complain(run, property, `${name} has no @example.`);
		if (property.questionToken && !docs.hasDefault)
			complain(run, property, `${name} is optional and has no @default. Say what happens without it.`);
	}
	checkType(run, type, { ...group, name, hasExample: group.hasExample || docs.hasExample });
};

/** Requires a sentence, and examples that parse. */
const checkDocs = (run: Run, node: ts.Node, name: string): { hasExample: boolean; hasDefault: boolean } | null => {
	const { text, examples, fallback } = docsOf(node);
	if (!/\S \S.*\./s.test(text)) {
		complain(run, node, `${name} has no JSDoc sentence.`);
		return null;
	}
	for (const example of examples)
		if (!parses(example))
			complain(run, node, `${name} has an @example that is not TypeScript between \`\`\`ts or \`\`\`tsx and \`\`\`.`);
	return { hasExample: examples.length > 0, hasDefault: fallback !== null };
};

const parses = (example: string): boolean => {
	const [, language, code] = /^```(tsx?)\n(.+)\n```$/s.exec(example.trim()) ?? [];
	if (code === undefined) return false;
	const compilerOptions = { jsx: ts.JsxEmit.Preserve };
	const { diagnostics } = ts.transpileModule(code, {
		reportDiagnostics: true,
		fileName: `example.${language}`,
		compilerOptions,
	});
	return diagnostics?.length === 0;
};

const complain = ({ problems }: Run, node: ts.Node, problem: string): void => {
	const source = node.getSourceFile();
	const { line } = source.getLineAndCharacterOfPosition(node.getStart());
	problems.push(`${source.fileName}:${line + 1}: ${problem}`);
};

/** Fails if a public export or option of the packages is not documented. Part of `pnpm lint`. */
const main = (): void => {
	const entries = publicEntries();
	const problems = findUndocumented(entries, readSource);
	for (const problem of problems) console.error(join("packages/tenants", problem));
	console.log(`Checked the JSDoc of ${entries.length} entries: ${problems.length} problems.`);
	process.exitCode = problems.length > 0 ? 1 : 0;
};

if (import.meta.main) main();
