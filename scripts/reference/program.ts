import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";

export const ROOT = resolve(import.meta.dirname, "../..");
export const PACKAGE = join(ROOT, "packages/tenants");
const REACT = join(ROOT, "packages/react");
export const SERVICE = join(ROOT, "apps/server");

let program: ts.Program | undefined;

/** One program of the packages and the service, because most of the time goes into the types of the dependencies. */
export const sourceProgram = (): ts.Program => {
	if (program) return program;
	const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
	const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
	program = ts.createProgram(sourceFiles(), options);
	// sets the parents of all nodes
	program.getTypeChecker();
	return program;
};

const sourceFiles = (): string[] =>
	[PACKAGE, REACT, SERVICE].flatMap((folder) =>
		globSync("src/**/*.{ts,tsx}", { cwd: folder })
			.toSorted()
			.map((file) => join(folder, file)),
	);

/** The source files of a folder, sorted by name. */
export const filesBelow = (folder: string): ts.SourceFile[] =>
	sourceProgram()
		.getSourceFiles()
		.filter(({ fileName }) => fileName.startsWith(`${folder}/src/`))
		.toSorted((one, other) => one.fileName.localeCompare(other.fileName));

/** A source file of a published package, by its path from packages/tenants. */
export const packageFile = (path: string): ts.SourceFile => {
	const file = sourceProgram().getSourceFile(resolve(PACKAGE, path));
	if (!file) throw new Error(`${path} is not a source file of a published package.`);
	return file;
};

export const isOfPackage = (node: ts.Node): boolean => node.getSourceFile().fileName.startsWith(`${PACKAGE}/src/`);

/** Calls `visit` for a node and everything below it. Types are left out, because they do nothing. */
export const walk = (node: ts.Node, visit: (node: ts.Node) => void): void => {
	if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
	visit(node);
	ts.forEachChild(node, (child) => walk(child, visit));
};
