import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CompileError, parseErrors } from "./compile-errors.ts";
import { optionsOf, type Setting } from "./matrix.ts";

type Program = { include: string[]; options?: object };

let count = 0;

/** Compiles files of the folder with a setting, in a process of its own. Returns the errors. */
export const compile = async (folder: string, setting: Setting, program: Program): Promise<CompileError[]> => {
	count += 1;
	const config = `tsconfig.${count}.json`;
	const compilerOptions = { ...optionsOf(setting), ...program.options };
	await writeFile(join(folder, config), JSON.stringify({ compilerOptions, include: program.include }));
	const tsc = join(folder, "node_modules", compilerName(setting.compiler), "bin/tsc");
	return parseErrors(await print(folder, [tsc, "--project", config, "--pretty", "false"]));
};

/** The name under which the folder has a compiler. */
export const compilerName = (version: string): string => `typescript-${version}`;

/** What a program prints. An exit code of 1 or 2 tells of errors, and everything else throws. */
const print = (cwd: string, args: string[]): Promise<string> =>
	new Promise((resolve, reject) => {
		execFile(process.execPath, args, { cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
			if (error && !(error.code === 1 || error.code === 2)) reject(new Error(`${error.message}\n${stderr}`));
			else resolve(stdout);
		});
	});
