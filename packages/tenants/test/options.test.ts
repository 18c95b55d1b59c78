import { describe, expect, it } from "vitest";
import { resolveOptions } from "../src/options.ts";

describe("deletion.gracePeriod", () => {
	it.each([
		["nothing is said", {}, 20],
		["tenants are remembered longer", { tenantCache: { maxAge: 60 } }, 75],
		["a password may wait longer", { hashing: { maxWait: 30 } }, 40],
		["a provider may take longer", { oauth: { providerTimeout: 40 } }, 50],
		["it is said", { deletion: { gracePeriod: 7 }, hashing: { maxWait: 30 } }, 7],
	])("outlasts every request that saw the tenant open, if %s", (_, options, seconds) => {
		expect(resolveOptions(options).deletion.gracePeriod).toBe(seconds);
	});

	it("is rejected if another process could still write", () => {
		expect(() => resolveOptions({ deletion: { gracePeriod: 4 } })).toThrow("deletion.gracePeriod (4 s) is shorter");
	});
});
