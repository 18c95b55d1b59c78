import { readdirSync } from "node:fs";
import { ENDPOINTS, endpointOf } from "better-auth-tenants/src/endpoints/endpoints.ts";
import { describe, expect, it } from "vitest";
import { COMPANION_SURFACE } from "./companion-surface.ts";
import { createSurface, endpointsOf } from "./engine.ts";
import { sweepSurface } from "./suite.ts";
import { SERVER_ONLY, SURFACE } from "./surface.ts";

/** Endpoints of the package with the rules of `/tenant/*`. A new one is counted here on purpose. */
const PLAIN_MANAGEMENT = 32;

const rowOf = (path: string) => SURFACE[path] ?? COMPANION_SURFACE[path];

/** Directories of bundled plugins that are not mounted: parts of others, and those named at `bundledPlugins`. */
const NOT_MOUNTED = new Set(["access", "additional-fields", "captcha", "haveibeenpwned", "test-utils"]);

describe("the engine's surface", () => {
	it("has a row of the right kind for every endpoint of the running engine, and no other rows", async () => {
		const endpoints = endpointsOf(await createSurface());
		const paths = endpoints.flatMap(({ path }) => path ?? []);
		expect([...new Set(paths)].sort()).toEqual(Object.keys(SURFACE).sort());
		expect(endpoints.flatMap(({ name, path }) => (path === undefined ? name : [])).sort()).toEqual(SERVER_ONLY);
		for (const [path, { kind }] of Object.entries(SURFACE)) expect([path, endpointOf(path).kind]).toEqual([path, kind]);
	});

	it("matches the package's table of endpoints", async () => {
		const paths = endpointsOf(await createSurface()).flatMap(({ path }) => path ?? []);
		const served = [...new Set([...paths, ...Object.keys(COMPANION_SURFACE)])].sort();
		expect(Object.keys(ENDPOINTS).filter((path) => !served.includes(path))).toEqual([]);
		// the package's own plain management needs no row; whatever else has none would get the rules of unknown endpoints
		const unlisted = served.filter((path) => !(path in ENDPOINTS));
		expect(unlisted.filter((path) => !path.startsWith("/tenant/") || rowOf(path)?.kind !== "management")).toEqual([]);
		expect(unlisted).toHaveLength(PLAIN_MANAGEMENT);
	});

	it("includes every bundled plugin", async () => {
		const { auth } = await createSurface();
		const mounted = new Set((await auth.$context).options.plugins?.map(({ id }) => id));
		const folders = readdirSync(new URL(".", import.meta.resolve("better-auth/plugins")), { withFileTypes: true });
		const plugins = folders.filter((entry) => entry.isDirectory() && !NOT_MOUNTED.has(entry.name));
		expect(plugins.map(({ name }) => name).filter((name) => !mounted.has(name))).toEqual([]);
		expect(plugins.length).toBeGreaterThan(15);
	});
});

sweepSurface("the engine's surface on SQLite", { database: "sqlite" });
