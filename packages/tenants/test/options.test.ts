import { describe, expect, it } from "vitest";
import { resolveOptions } from "../src/plugin/options.ts";

describe("deletion.drainTime", () => {
	it.each([
		["no option is set", {}, 20],
		["tenants are cached longer", { tenantCache: { maxAge: 60 } }, 75],
		["a hash may wait longer", { hashing: { maxWait: 30 } }, 40],
		["a provider may respond later", { oauth: { providerTimeout: 40 } }, 50],
		["it is set", { deletion: { drainTime: 7 }, hashing: { maxWait: 30 } }, 7],
	])("outlasts every request that started before the deletion, if %s", (_, options, seconds) => {
		expect(resolveOptions(options).deletion.drainTime).toBe(seconds);
	});

	it("is rejected if another process could still write", () => {
		expect(() => resolveOptions({ deletion: { drainTime: 4 } })).toThrow("deletion.drainTime (4 s) is shorter");
	});
});

describe("limits.sessionsPerUser", () => {
	it.each([
		[undefined, 200],
		[false, false],
		[1, 1],
		[1_000, 1_000],
	] as const)("of %s is %s", (given, expected) => {
		const limits = given === undefined ? {} : { sessionsPerUser: given };
		expect(resolveOptions({ limits }).sessionsPerUser).toBe(expected);
	});

	it.each([0, -1, 1.5, 1_001, Number.NaN])("is rejected if it is %s", (sessionsPerUser) => {
		expect(() => resolveOptions({ limits: { sessionsPerUser } })).toThrow("limits.sessionsPerUser must be");
	});
});
