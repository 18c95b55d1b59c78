import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Whether the installed Better Auth is 1.7.`patch` or newer. For expectations that differ by version. */
export const isEngineFrom = (patch: number): boolean => installed >= patch;

const readInstalled = (): number => {
	const manifest = new URL("../package.json", import.meta.resolve("better-auth"));
	const { version } = JSON.parse(readFileSync(fileURLToPath(manifest), "utf8")) as { version: string };
	return Number(/^1\.7\.(\d+)$/.exec(version)?.[1]);
};

const installed = readInstalled();
