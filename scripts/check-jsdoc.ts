import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";

const PACKAGE = join(import.meta.dirname, "../packages/tenants");

/** Returns the text of a file, or null if there is none. */
type Read = (file: string) => string | null;

type Declaration = ts.TypeAliasDeclaration | ts.VariableDeclaration | ts.FunctionDeclaration;

/** What one run has read so far. A type that two exports share is checked once. */
type Run = { read: Read; files: Map<string, ts.SourceFile>; checked: Set<Declaration>; problems: string[] };

/** An option group with an example documents its options. */
type Group = { name: string; isOptions: boolean; hasExample: boolean };

/**
 * Finds exports of an entry without a JSDoc sentence, functions and options without an `@example`, options without a
 * `@default`, and examples that do not parse. Follows the types of the same package that an exported type or a parameter of an
 * exported function names.
 */
export const findUndocumented = (entries: string[], read: Read): string[] => {
	const run: Run = { read, files: new Map(), checked: new Set(), problems: [] };
	for (const entry of entries) {
		for (const { name, file } of exportsOf(run, entry)) {
			const found = findDeclaration(run, file, name);
			if (found) checkDeclaration(run, name, found);
			else run.problems.push(`${entry}: ${name} is exported, but its declaration was not found. Export it by name.`);
		}
	}
	return run.problems;
};

const open = (run: Run, file: string): ts.SourceFile => {
	const known = run.files.get(file);
	if (known) return known;
	const text = run.read(file);
	if (text === null) throw new Error(`${file} does not exist. Check the exports of package.json.`);
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	run.files.set(file, source);
	return source;
};

/** The names that an entry exports, each with the file that declares or imports it. */
const exportsOf = (run: Run, file: string): { name: string; file: string }[] =>
	open(run, file).statements.flatMap((statement) => {
		if (ts.isExportDeclaration(statement)) {
			const from = targetOf(file, statement.moduleSpecifier) ?? file;
			const named = statement.exportClause;
			if (!named || !ts.isNamedExports(named)) return [{ name: statement.getText(), file }];
			return named.elements.map(({ name, propertyName }) => ({ name: (propertyName ?? name).text, file: from }));
		}
		const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(isExport);
		return isExported ? declarationsIn(statement).map(({ name }) => ({ name, file })) : [];
	});

const isExport = ({ kind }: ts.Node): boolean => kind === ts.SyntaxKind.ExportKeyword;

const targetOf = (file: string, specifier: ts.Expression | undefined): string | null =>
	specifier && ts.isStringLiteral(specifier) && specifier.text.startsWith(".")
		? join(dirname(file), specifier.text)
		: null;

const declarationsIn = (statement: ts.Statement): { name: string; declaration: Declaration }[] => {
	if (ts.isTypeAliasDeclaration(statement)) return [{ name: statement.name.text, declaration: statement }];
	if (ts.isFunctionDeclaration(statement) && statement.name)
		return [{ name: statement.name.text, declaration: statement }];
	if (!ts.isVariableStatement(statement)) return [];
	return statement.declarationList.declarations.map((declaration) => ({
		name: declaration.name.getText(),
		declaration,
	}));
};

/** Finds a name in a file, or in the file of the package that it is imported from. */
const findDeclaration = (run: Run, file: string, name: string): Declaration | null => {
	const source = open(run, file);
	for (const statement of source.statements) {
		const own = declarationsIn(statement).find((one) => one.name === name);
		if (own) return own.declaration;
		const imported = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
		if (!imported || !ts.isNamedImports(imported) || !ts.isImportDeclaration(statement)) continue;
		const element = imported.elements.find((one) => one.name.text === name);
		const target = element && targetOf(file, statement.moduleSpecifier);
		if (target) return findDeclaration(run, target, (element.propertyName ?? element.name).text);
	}
	return null;
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

const isNameOfOptions = (name: string): boolean => name.endsWith("Options");

const parametersOf = (declaration: Declaration): readonly ts.ParameterDeclaration[] | null => {
	if (ts.isFunctionDeclaration(declaration)) return declaration.parameters;
	if (!ts.isVariableDeclaration(declaration)) return null;
	const { initializer } = declaration;
	return initializer && ts.isArrowFunction(initializer) ? initializer.parameters : null;
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
		const found = referenced(run, type);
		if (!found) return;
		if (isNameOfOptions(found.name.text) || found.modifiers?.some(isExport))
			checkDeclaration(run, found.name.text, found);
		else if (!run.checked.has(found)) {
			run.checked.add(found);
			checkType(run, found.type, group);
		}
	}
};

const referenced = (run: Run, { typeName }: ts.TypeReferenceNode): ts.TypeAliasDeclaration | null => {
	const found = findDeclaration(run, typeName.getSourceFile().fileName, typeName.getText());
	return found && ts.isTypeAliasDeclaration(found) ? found : null;
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
	const [docs] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1);
	const sentence = ts.getTextOfJSDocComment(docs?.comment)?.trim() ?? "";
	if (!docs || !/\S \S.*\./s.test(sentence)) {
		complain(run, node, `${name} has no JSDoc sentence.`);
		return null;
	}
	const texts = (tag: string) =>
		(docs.tags ?? [])
			.filter(({ tagName }) => tagName.text === tag)
			.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "");
	const examples = texts("example");
	for (const example of examples)
		if (!parses(example))
			complain(run, node, `${name} has an @example that is not TypeScript between \`\`\`ts and \`\`\`.`);
	return { hasExample: examples.length > 0, hasDefault: texts("default").some((text) => text.trim() !== "") };
};

const parses = (example: string): boolean => {
	const code = /^```ts\n(.+)\n```$/s.exec(example.trim())?.[1];
	if (code === undefined) return false;
	const { diagnostics } = ts.transpileModule(code, { reportDiagnostics: true, fileName: "example.ts" });
	return diagnostics?.length === 0;
};

const complain = ({ problems }: Run, node: ts.Node, problem: string): void => {
	const source = node.getSourceFile();
	const { line } = source.getLineAndCharacterOfPosition(node.getStart());
	problems.push(`${source.fileName}:${line + 1}: ${problem}`);
};

/** Reads a file of the package. */
export const readSource: Read = (file) => {
	try {
		return readFileSync(join(PACKAGE, file), "utf8");
	} catch {
		return null;
	}
};

/** The sources of the entries that the package publishes. */
export const publicEntries = (): string[] => {
	const { exports, publishConfig } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
	return Object.keys(publishConfig.exports)
		.map((entry) => String(exports[entry]))
		.filter((file) => file.endsWith(".ts"))
		.map((file) => relative(".", file));
};

/** Fails if a public export or option of the package is not documented. Part of `pnpm lint`. */
const main = (): void => {
	const entries = publicEntries();
	const problems = findUndocumented(entries, readSource);
	for (const problem of problems) console.error(`packages/tenants/${problem}`);
	console.log(`Checked the JSDoc of ${entries.length} entries: ${problems.length} problems.`);
	process.exitCode = problems.length > 0 ? 1 : 0;
};

if (import.meta.main) main();
