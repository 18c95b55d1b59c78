import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

const PACKAGE = join(import.meta.dirname, "../packages/tenants");
/** The published packages with entries, by their path from packages/tenants. */
const FOLDERS = [".", "../react"];

/** Opens a source file. Throws if there is none. */
export type Open = (file: string) => ts.SourceFile;

/** Returns the text of a file, or null if there is none. */
export type Read = (file: string) => string | null;

export type Declaration = ts.TypeAliasDeclaration | ts.VariableDeclaration | ts.FunctionDeclaration;

/** Opens files by their text, each once. */
export const openTexts = (read: Read): Open => {
	const files = new Map<string, ts.SourceFile>();
	return (file) => {
		const known = files.get(file);
		if (known) return known;
		const text = read(file);
		if (text === null) throw new Error(`${file} does not exist. Check the exports of package.json.`);
		const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
		files.set(file, source);
		return source;
	};
};

/** The names that an entry exports, each with the file that declares or imports it, and the name that it has there. */
export const exportsOf = (open: Open, file: string): { name: string; declared: string; file: string }[] =>
	open(file).statements.flatMap((statement) => {
		if (ts.isExportDeclaration(statement)) {
			const from = targetOf(file, statement.moduleSpecifier) ?? file;
			const named = statement.exportClause;
			if (!named || !ts.isNamedExports(named))
				return [{ name: statement.getText(), declared: statement.getText(), file }];
			return named.elements.map(({ name, propertyName }) => ({
				name: name.text,
				declared: (propertyName ?? name).text,
				file: from,
			}));
		}
		const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(isExport);
		return isExported ? declarationsIn(statement).map(({ name }) => ({ name, declared: name, file })) : [];
	});

export const isExport = ({ kind }: ts.Node): boolean => kind === ts.SyntaxKind.ExportKeyword;

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
export const findDeclaration = (open: Open, file: string, name: string): Declaration | null => {
	for (const statement of open(file).statements) {
		const own = declarationsIn(statement).find((one) => one.name === name);
		if (own) return own.declaration;
		const imported = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
		if (!imported || !ts.isNamedImports(imported) || !ts.isImportDeclaration(statement)) continue;
		const element = imported.elements.find((one) => one.name.text === name);
		const target = element && targetOf(file, statement.moduleSpecifier);
		if (target) return findDeclaration(open, target, (element.propertyName ?? element.name).text);
	}
	return null;
};

/** The type of the package that a type names, or null if it comes from somewhere else. */
export const referencedType = (open: Open, { typeName }: ts.TypeReferenceNode): ts.TypeAliasDeclaration | null => {
	const found = findDeclaration(open, typeName.getSourceFile().fileName, typeName.getText());
	return found && ts.isTypeAliasDeclaration(found) ? found : null;
};

export const isNameOfOptions = (name: string): boolean => name.endsWith("Options");

/** The parameters of a function, or null if it is none. */
export const parametersOf = (declaration: Declaration): readonly ts.ParameterDeclaration[] | null => {
	if (ts.isFunctionDeclaration(declaration)) return declaration.parameters;
	if (!ts.isVariableDeclaration(declaration)) return null;
	const { initializer } = declaration;
	return initializer && ts.isArrowFunction(initializer) ? initializer.parameters : null;
};

/** The JSDoc of a declaration or a property. `fallback` is its `@default`, and null without one. */
export type Docs = { text: string; examples: string[]; fallback: string | null };

export const docsOf = (node: ts.Node): Docs => {
	const [docs] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1);
	const tagged = (tag: string) =>
		(docs?.tags ?? [])
			.filter(({ tagName }) => tagName.text === tag)
			.map(({ comment }) => (ts.getTextOfJSDocComment(comment) ?? "").trim());
	return {
		text: ts.getTextOfJSDocComment(docs?.comment)?.trim() ?? "",
		examples: tagged("example"),
		fallback: tagged("default").find((text) => text !== "") ?? null,
	};
};

/** Reads a source file, by its path from packages/tenants. */
export const readSource: Read = (file) => {
	try {
		return readFileSync(join(PACKAGE, file), "utf8");
	} catch {
		return null;
	}
};

/** The entries that the packages publish: their names for an import, and their sources, by their path from packages/tenants. */
export const publishedEntries = (): { name: string; file: string }[] =>
	FOLDERS.flatMap((folder) => {
		const { name, exports, publishConfig } = JSON.parse(readFileSync(join(PACKAGE, folder, "package.json"), "utf8"));
		return Object.keys(publishConfig.exports)
			.map((entry) => ({ name: join(String(name), entry), file: join(folder, String(exports[entry])) }))
			.filter(({ file }) => file.endsWith(".ts"));
	});

/** The sources of the entries that the packages publish. */
export const publicEntries = (): string[] => publishedEntries().map(({ file }) => file);
