import { describe, expect, it } from "vitest";
import { resolveOptions } from "../src/options.ts";

describe("deletion.grace", () => {
	it.each([
		["nothing is said", {}, 20],
		["tenants are remembered longer", { tenantCache: { maxAge: 60 } }, 75],
		["a password may wait longer", { hashing: { maxWait: 30 } }, 40],
		["a provider may take longer", { oauth: { providerTimeout: 40 } }, 50],
		["it is said", { deletion: { grace: 7 }, hashing: { maxWait: 30 } }, 7],
	])("outlasts every request that saw the tenant open, if %s", (_, options, seconds) => {
		expect(resolveOptions(options).deletion.grace).toBe(seconds);
	});

	it("is rejected if another process could still write", () => {
		expect(() => resolveOptions({ deletion: { grace: 4 } })).toThrow("deletion.grace (4 s) is shorter");
	});
});
