import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { endpointOf } from "better-auth-tenants/src/endpoints/endpoints.ts";
import type { Method } from "./engine.ts";
import type { Outcome } from "./sweep.ts";

type Column = "own" | "foreign" | "noTenant" | "conflicting";
type Line = { method: Method; path: string; kind: string; reads: string[]; writes: string[] } & Record<
	Column,
	number[]
>;

const PACKAGES = ["better-auth", "passkey", "api-key", "sso", "scim", "oauth-provider", "stripe"];

/** The responses of every endpoint by caller, and the tables it used for users of its own tenant. */
export const createResults = (database: string) => {
	const lines = new Map<string, Line>();
	const began = Date.now();
	let calls = 0;
	let leaks = 0;
	return {
		note: (column: Column, method: Method, path: string, { status, reads, writes }: Outcome): void => {
			calls++;
			const fresh = { method, path, kind: endpointOf(path).kind, own: [], foreign: [], noTenant: [], conflicting: [] };
			const line = lines.get(`${method} ${path}`) ?? { ...fresh, reads: [], writes: [] };
			lines.set(`${method} ${path}`, line);
			line[column] = [...new Set([...line[column], status])].sort();
			if (column !== "own") return;
			line.reads = [...new Set([...line.reads, ...reads])].sort();
			line.writes = [...new Set([...line.writes, ...writes])].sort();
		},
		addLeaks: (found: number): void => {
			leaks += found;
		},
		/** Writes the results if SURFACE_RESULT is set. */
		write: (): void => {
			const file = process.env.SURFACE_RESULT?.replace(
				/(\.json)?$/,
				database === "sqlite" ? ".json" : `-${database}.json`,
			);
			if (!file) return;
			const result = {
				database,
				versions: Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)])),
				endpoints: [...lines.values()],
				calls,
				leaks,
				durationMs: Date.now() - began,
			};
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, `${JSON.stringify(result, null, "\t")}\n`);
		},
	};
};

const versionOf = (name: string): string => {
	const path = name === "better-auth" ? name : `@better-auth/${name}`;
	const entry = createRequire(import.meta.url).resolve(path);
	const root = entry.slice(0, entry.lastIndexOf(`/${path}/`) + path.length + 2);
	return createRequire(import.meta.url)(`${root}package.json`).version;
};
