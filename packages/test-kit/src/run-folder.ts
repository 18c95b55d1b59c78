import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { memoryFolder } from "./servers/memory-folder.ts";

let own: string | undefined;

/** The folder of the whole test run, or of this process. Removed at the end. */
export const runFolder = (): string => {
	if (process.env.TEST_FOLDER) return process.env.TEST_FOLDER;
	if (!own) {
		const made = mkdtempSync(join(memoryFolder(), "tests-"));
		process.once("exit", () => rmSync(made, { recursive: true, force: true }));
		own = made;
	}
	return own;
};
