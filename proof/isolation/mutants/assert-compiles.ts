import { join } from "node:path";
import ts from "typescript";
import type { Defence } from "./defence.ts";
import { type Copy, takeOut } from "./plant-mutant.ts";

/**
 * Throws where a mutant cannot be made or does not compile: such a one is caught by the compiler and shows nothing. Only the changed file is
 * looked at, and what was read for one mutant serves the next.
 */
export const assertCompiles = async (project: Copy, defences: Defence[]): Promise<void> => {
	const { config } = ts.readConfigFile(join(project.root, "packages/tenants/tsconfig.json"), ts.sys.readFile);
	const { options, fileNames } = ts.parseJsonConfigFileContent(
		{ ...config, include: ["src"] },
		ts.sys,
		join(project.root, "packages/tenants"),
	);
	let changed: { path: string; text: string; version: string } | null = null;
	const service = ts.createLanguageService({
		getCompilationSettings: () => options,
		getScriptFileNames: () => fileNames,
		getScriptVersion: (path) => (changed?.path === path ? changed.version : "unchanged"),
		getScriptSnapshot: (path) => {
			const text = changed?.path === path ? changed.text : ts.sys.readFile(path);
			return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
		},
		getCurrentDirectory: () => project.root,
		getDefaultLibFileName: ts.getDefaultLibFilePath,
		fileExists: ts.sys.fileExists,
		readFile: ts.sys.readFile,
		readDirectory: ts.sys.readDirectory,
		directoryExists: ts.sys.directoryExists,
		getDirectories: ts.sys.getDirectories,
	});
	const wrong: string[] = [];
	for (const defence of defences) {
		const path = join(project.source, defence.file);
		try {
			changed = { path, text: await takeOut(project, defence), version: defence.id };
		} catch (error) {
			wrong.push(error instanceof Error ? error.message : String(error));
			continue;
		}
		for (const found of [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)])
			wrong.push(`${defence.id}: ${ts.flattenDiagnosticMessageText(found.messageText, " ")}`);
	}
	service.dispose();
	if (wrong.length > 0) throw new Error(`Mutants that cannot be made:\n${wrong.join("\n")}`);
};
