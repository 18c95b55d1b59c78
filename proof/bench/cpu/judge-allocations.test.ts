import { describe, expect, it } from "vitest";
import { type FlowAllocations, judgeAllocations, MARGIN } from "./judge-allocations.ts";
import type { Allocated } from "./result.ts";

const allocatedOf = (bare: number, tenants: number): Allocated[] => [
	{ side: "bare", bytes: { median: bare, low: bare, high: bare } },
	{ side: "tenants, engine handler", bytes: { median: tenants, low: tenants, high: tenants } },
];
const recordedOf = (name: string, allocated: Allocated[]): { flows: FlowAllocations[] } => ({
	flows: [{ name, allocated }],
});
const recorded = recordedOf("sign-in", allocatedOf(100_000, 120_000));

describe("judging allocations", () => {
	it("accepts the recorded bytes, less, and more within the margin", () => {
		for (const bytes of [90_000, 120_000, 120_000 * (1 + MARGIN)])
			expect(judgeAllocations({ name: "sign-in", allocated: allocatedOf(100_000, bytes) }, recorded)).toEqual([]);
	});

	it("reports a side that allocates more", () => {
		const bytes = 120_000 * (1 + MARGIN) + 100;
		expect(judgeAllocations({ name: "sign-in", allocated: allocatedOf(100_000, bytes) }, recorded)).toEqual([
			expect.stringMatching(/^sign-in, tenants, engine handler: allocates 1\.\d+ of the engine's bytes; it was 1\.200/),
		]);
	});

	it("compares with the engine alone, so that another version of Node changes nothing", () => {
		expect(judgeAllocations({ name: "sign-in", allocated: allocatedOf(200_000, 240_000) }, recorded)).toEqual([]);
	});

	it("reports a flow and a side that have no record", () => {
		const allocated = allocatedOf(100_000, 120_000);
		const other = recordedOf("sign-in", allocated.slice(0, 1));
		expect(judgeAllocations({ name: "sign-in", allocated }, other)).toEqual([
			expect.stringContaining("tenants, engine handler: no recorded result"),
		]);
		expect(judgeAllocations({ name: "sign-up", allocated }, recorded)).toHaveLength(2);
		expect(judgeAllocations({ name: "sign-in", allocated }, undefined)).toHaveLength(2);
	});
});
