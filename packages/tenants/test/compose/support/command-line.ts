import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const CONFIG = fileURLToPath(new URL("./cli-config.ts", import.meta.url));

/** A folder inside the project, so that generated files resolve their imports. Removed when the test ends. */
export const temporaryFolder = (): string => {
	const parent = join(ROOT, "test-results");
	mkdirSync(parent, { recursive: true });
	const folder = mkdtempSync(join(parent, "compose-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
};

export type CliDatabase = {
	kind: "postgres" | "mysql" | "sqlite" | "drizzle" | "prisma";
	/** URL of the database */
	url?: string;
	/** the ORM's name for the database */
	provider?: string;
	/** Better Auth without tenants */
	bare?: boolean;
};

const start = async (command: string, args: string[], environment: Record<string, string>): Promise<string> => {
	const { stdout, stderr } = await run(join(ROOT, "node_modules/.bin", command), args, {
		cwd: ROOT,
		env: { ...process.env, ...environment, BETTER_AUTH_TELEMETRY: "0", NODE_ENV: "development" },
	});
	return stdout + stderr;
};

/** Runs Better Auth's command line on the composed configuration. */
export const authCli = (command: "generate" | "migrate", on: CliDatabase, ...args: string[]): Promise<string> =>
	start("auth", [command, "--config", CONFIG, "--yes", ...args], {
		TEST_CLI_DATABASE: on.kind,
		...(on.url ? { TEST_CLI_URL: on.url } : {}),
		...(on.provider ? { TEST_CLI_PROVIDER: on.provider } : {}),
		...(on.bare ? { TEST_CLI_BARE: "yes" } : {}),
	});

/** Prisma's command line without the engine that it would download: `validate` and `generate`. */
export const prismaCli = (command: "validate" | "generate", schema: string): Promise<string> =>
	start("prisma", [command, "--schema", schema], { PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true", CHECKPOINT_DISABLE: "1" });
