import { endpointKind } from "better-auth-tenants/src/scope/endpoint-kind.ts";
import { describe, expect, it } from "vitest";
import { createSurface, endpointsOf } from "./engine.ts";
import { sweepSurface } from "./suite.ts";
import { SERVER_ONLY, SURFACE } from "./surface.ts";

describe("the engine's surface", () => {
	it("has a row for every endpoint of the running engine, of the kind it says, and no row without an endpoint", async () => {
		const endpoints = endpointsOf(await createSurface());
		const paths = endpoints.flatMap(({ path }) => path ?? []);
		expect([...new Set(paths)].sort()).toEqual(Object.keys(SURFACE).sort());
		expect(endpoints.flatMap(({ name, path }) => (path === undefined ? name : [])).sort()).toEqual(SERVER_ONLY);
		for (const [path, { kind }] of Object.entries(SURFACE)) expect([path, endpointKind(path)]).toEqual([path, kind]);
	});
});

sweepSurface("the engine's surface on SQLite", { database: "sqlite" });
