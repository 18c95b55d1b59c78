import { describe, expect, it } from "vitest";
import { compareOwners, listOwners } from "./compare-owners.ts";
import type { Owners } from "./result.ts";

const sides: Owners[] = [
	{ side: "bare", us: { zod: 10, rou3: 200 } },
	{ side: "tenants, engine handler", us: { zod: 12, rou3: 50, "src/scope": 30 } },
];

describe("comparing owners", () => {
	it("counts an owner that a side does not have as nothing", () => {
		expect(compareOwners(sides)).toEqual([
			{ name: "zod", us: [10, 12], added: 2 },
			{ name: "rou3", us: [200, 50], added: -150 },
			{ name: "src/scope", us: [0, 30], added: 30 },
		]);
	});

	it("lists those that differ most first", () => {
		const [, ...rows] = listOwners(sides, 2);
		expect(rows.map((row) => row.split(/\s+/).at(-1))).toEqual(["rou3", "src/scope"]);
	});
});
