import { describe, expect, it } from "vitest";
import { runRows } from "./run-rows.ts";

describe("random queries of the application's tables", () => {
	it("see and change rows of one tenant only, and find a planted hole", { timeout: 300_000 }, async () => {
		const { lanes } = await runRows({ queries: 600, seed: 1, log: () => {} });
		expect(lanes.map(({ name, wrong }) => ({ name, wrong }))).toEqual(lanes.map(({ name }) => ({ name, wrong: [] })));
		for (const { name, queries, same, holeFoundAfter } of lanes) {
			expect(holeFoundAfter, name).not.toBeNull();
			// a helper that rejects everything would pass as well
			expect(same / queries, name).toBeGreaterThan(0.5);
		}
	});
});
