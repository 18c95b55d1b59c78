import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { tenantAuth } from "better-auth-tenants";
import Database from "better-sqlite3";
import { compareStarts, type Starts } from "./compare-starts.ts";
import { enter, optionsOf } from "./node-engine.ts";

const execute = promisify(execFile);
const PROCESS = fileURLToPath(new URL("./node-process.ts", import.meta.url));
/** as published */
const PLUGIN = new URL("../../../packages/tenants/dist/index.js", import.meta.url).href;

const STEPS = ["imported", "ok", "signIn"] as const;
export type NodeStarts = Record<(typeof STEPS)[number], Starts<"bare" | "ours">>;

/** Cold starts on Node: from the first import until the engine responds to /ok, and until the first sign-in. */
export const measureNodeStarts = async (rounds: number): Promise<NodeStarts> => {
	const folder = await mkdtemp(join(tmpdir(), "cold-start-"));
	try {
		const bare = join(folder, "bare.db");
		const ours = join(folder, "ours.db");
		await prepareBare(bare);
		const tenantId = await prepareOurs(ours);
		const argsOf = { bare: [bare], ours: [ours, PLUGIN, tenantId] };
		return await compareStarts(["bare", "ours"] as const, STEPS, rounds, async (side) => {
			const { stdout } = await execute(process.execPath, [PROCESS, ...argsOf[side]], {
				env: { PATH: process.env.PATH, NODE_ENV: "production" },
			});
			return JSON.parse(stdout) as Record<(typeof STEPS)[number], number>;
		});
	} finally {
		await rm(folder, { recursive: true });
	}
};

/** Creates a user. */
const prepareBare = async (file: string): Promise<void> => {
	const database = new Database(file);
	const options = optionsOf(database, []);
	await (await getMigrations(options)).runMigrations();
	await enter(betterAuth(options).handler, "sign-up", undefined);
	database.close();
};

/** The same in a tenant, and returns its id. */
const prepareOurs = async (file: string): Promise<string> => {
	const database = new Database(file);
	const plugins = [tenantAuth()];
	const options = { ...optionsOf(database, []), plugins };
	await (await getMigrations(options)).runMigrations();
	const auth = betterAuth(options);
	const { id } = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
	await enter(auth.handler, "sign-up", id);
	database.close();
	return id;
};
