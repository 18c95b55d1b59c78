import { execFile } from "node:child_process";
import { cp, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packPackage } from "test-kit/packed-packages";
import { workspaceVersions } from "test-kit/workspace-versions";
import { compilerName } from "./compile.ts";
import { COMPILERS } from "./matrix.ts";

/** What the code of a user imports, at the versions of this repository. */
const OF_CATALOG = [
	"better-auth",
	"@better-auth/core",
	"@better-auth/redis-storage",
	"@hono/node-server",
	"@types/better-sqlite3",
	"@types/node",
	"@types/pg",
	"@types/react",
	"hono",
	"ioredis",
	"kysely",
	"pg",
	"react",
];

/** Frameworks that only users have. Their own pages and examples are built with all of them. */
const OF_USERS = {
	"@types/express": "5.0.6",
	express: "5.3.0",
	fastify: "5.12.8",
	"solid-js": "1.9.19",
	vue: "3.5.45",
};

/** An empty folder outside the workspace, with the packed packages, every compiler and the code of the users. */
export const createFolder = async (): Promise<string> => {
	const folder = await mkdtemp(join(tmpdir(), "installed-"));
	const { catalog, overrides } = await workspaceVersions();
	const tarballs = { tenants: await packPackage("tenants", folder), react: await packPackage("react", folder) };
	const dependencies = {
		"better-auth-tenants": `file:${tarballs.tenants}`,
		"better-auth-tenants-react": `file:${tarballs.react}`,
		...Object.fromEntries(OF_CATALOG.map((name) => [name, catalog[name]])),
		...OF_USERS,
		...Object.fromEntries(COMPILERS.map((version) => [compilerName(version), `npm:typescript@${version}`])),
	};
	const manifest = { name: "application", private: true, type: "module", dependencies, overrides };
	await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
	const args = ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
	await promisify(execFile)("npm", args, { cwd: folder });
	await cp(new URL("consumer", import.meta.url), join(folder, "consumer"), { recursive: true });
	return folder;
};
