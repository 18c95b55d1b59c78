import { describe, expect, it } from "vitest";
import { countInWindow } from "../../src/load/limits/count-in-window.ts";
import { createCounters } from "../../src/load/limits/counters.ts";
import { createWindows } from "../../src/load/limits/windows.ts";

const LENGTH = 600_000;
/** More than fit into the memory for counters. */
const FLOOD = 105_000;
const [a, b] = ["acme", "globex"];
const victim = { tenantId: a, network: "198.51.100.1" };

// threat 62
describe("a flood of invented keys", () => {
	it("of one tenant does not reset counters of another, however low they are", async () => {
		const count = countInWindow({ window: 86_400, max: 3 }, undefined);
		for (let number = 0; number < 3; number += 1) expect(await count("code", victim)).toBe(0);
		for (let number = 0; number < FLOOD; number += 1)
			await count(`invented-${number}`, { tenantId: b, network: "203.0.113.7" });
		expect(await count("code", victim)).toBeGreaterThan(0);
		// the control: what the flood itself filled the memory with is counted again from one
		const first = { tenantId: b, network: "203.0.113.7" };
		for (let number = 0; number < 3; number += 1) expect(await count("invented-0", first)).toBe(0);
	});

	it("of one network does not reset counters that other networks of the same tenant began", () => {
		const windows = createWindows(100);
		const count = (key: string, network: string) =>
			windows.countOne({ key, now: 0, length: LENGTH, owner: { tenantId: a, network } }).count;
		for (let number = 0; number < 5; number += 1) count("code", victim.network);
		for (let number = 0; number < 1_000; number += 1) count(`invented-${number}`, "203.0.113.7");
		expect(count("code", "203.0.113.7")).toBe(6);
	});

	it("of many networks of one tenant does not reset counters of another", () => {
		const windows = createWindows(100);
		windows.countOne({ key: "code", now: 0, length: LENGTH, owner: victim });
		for (let number = 0; number < 1_000; number += 1) {
			const owner = { tenantId: b, network: `network-${number}` };
			windows.countOne({ key: `invented-${number}`, now: 0, length: LENGTH, owner });
		}
		expect(windows.countOne({ key: "code", now: 0, length: LENGTH, owner: victim }).count).toBe(2);
	});

	it("that has ended makes room for others before any counter is evicted", () => {
		const windows = createWindows(100);
		const at = (now: number, key: string, tenantId = a) =>
			windows.countOne({ key, now, length: LENGTH, owner: { tenantId, network: "" } }).count;
		for (let number = 0; number < 50; number += 1) at(0, `ended-${number}`, b);
		for (let number = 0; number < 90; number += 1) at(LENGTH, `new-${number}`);
		for (let number = 0; number < 90; number += 1) expect(at(LENGTH, `new-${number}`)).toBe(2);
	});
});

// threat 159
describe("limits that a tenant changes", () => {
	it("do not reset the counters of another tenant's limit, however often they change", async () => {
		const counters = createCounters(undefined);
		const limit = { window: 3_600, max: 4 };
		const refused = async () => (await counters(limit)("policy", victim)) > 0;
		for (let number = 0; number < 4; number += 1) expect(await refused()).toBe(false);
		expect(await refused()).toBe(true);
		for (let number = 0; number < FLOOD; number += 1)
			await counters({ window: 60 + number, max: 1_000 })(`policy-${b}`, { tenantId: b, network: "" });
		expect(await refused()).toBe(true);
	});

	it("count by each limit separately", async () => {
		const counters = createCounters(undefined);
		expect(await counters({ window: 10, max: 1 })("a")).toBe(0);
		expect(await counters({ window: 20, max: 1 })("a")).toBe(0);
		expect(await counters({ window: 10, max: 1 })("a")).toBe(10);
	});
});
