import { join } from "node:path";
import ts from "typescript";
import type { Defense } from "./defense.ts";
import { type Copy, takeOut } from "./plant-mutant.ts";

/**
 * Throws if a mutant cannot be created or does not compile: the compiler would catch it, which shows nothing. Only
 * checks the changed file, and reuses what was read for the previous mutant.
 */
export const assertCompiles = async (project: Copy, defenses: Defense[]): Promise<void> => {
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
	for (const defense of defenses) {
		const path = join(project.source, defense.file);
		try {
			changed = { path, text: await takeOut(project, defense), version: defense.id };
		} catch (error) {
			wrong.push(error instanceof Error ? error.message : String(error));
			continue;
		}
		for (const found of [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)])
			wrong.push(`${defense.id}: ${ts.flattenDiagnosticMessageText(found.messageText, " ")}`);
	}
	service.dispose();
	if (wrong.length > 0) throw new Error(`Mutants that cannot be created:\n${wrong.join("\n")}`);
};
