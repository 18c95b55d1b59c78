import { describe, expect, it } from "vitest";
import { newerThan, overridesOf } from "./overrides.ts";
import type { Registry } from "./registry.ts";

const registryOf = (published: Record<string, string[]>, dependencies: Record<string, string>): Registry => ({
	versions: (name) => published[name] ?? [],
	dependencies: () => dependencies,
});

describe("the versions that a release of Better Auth is installed in", () => {
	it("are what it pins, and the newest below where the registry has a gap", () => {
		const registry = registryOf(
			{
				"better-auth": ["1.7.7", "1.7.22"],
				"@better-auth/core": ["1.7.7", "1.7.22", "1.7.23"],
				"@better-auth/utils": ["0.4.3", "0.5.0", "0.6.0"],
				"better-call": ["1.3.9", "1.3.10", "1.4.0", "1.4.6-beta.1", "2.0.6"],
			},
			{ "@better-auth/core": "1.7.22", "@better-auth/utils": "0.5.1", "better-call": "1.4.5", zod: "^4.5.4" },
		);
		expect(overridesOf("1.7.22", registry)).toEqual({
			"@better-auth/core": "1.7.22",
			"@better-auth/utils": "0.5.0",
			"better-auth": "1.7.22",
			"better-call": "1.4.0",
		});
	});

	it("compares numbers, not texts", () => {
		const registry = registryOf(
			{ "better-auth": ["1.7.22"], "better-call": ["1.3.10", "1.3.9"] },
			{ "better-call": "1.4.5" },
		);
		expect(overridesOf("1.7.22", registry)["better-call"]).toBe("1.3.10");
	});

	it("are unknown for a version that is not published, or whose library has no older version", () => {
		const registry = registryOf({ "better-auth": ["1.7.22"], "better-call": ["2.0.0"] }, { "better-call": "1.4.5" });
		expect(() => overridesOf("1.7.21", registry)).toThrow("better-auth 1.7.21 is not published. Use one of: 1.7.22");
		expect(() => overridesOf("1.7.22", registry)).toThrow("better-call 1.4.5 is not published");
	});
});

describe("a newer release", () => {
	const published = ["1.7.7", "1.7.18", "1.7.22", "1.8.0-beta.3", "2.0.0"];

	it("is the newest of Better Auth 1, whatever the order of the registry", () => {
		expect(newerThan("1.7.18", published)).toBe("1.7.22");
		expect(newerThan("1.7.7", ["1.7.10", "1.7.9"])).toBe("1.7.10");
		expect(newerThan("1.7.22", [...published, "1.8.0"])).toBe("1.8.0");
	});

	it("is neither a prerelease nor another major version", () => {
		expect(newerThan("1.7.22", published)).toBeUndefined();
	});
});
