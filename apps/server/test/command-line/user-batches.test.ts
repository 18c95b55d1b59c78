import { expect, it } from "vitest";
import { createUserBatches, type UserLine } from "../../src/command-line/user/user-batches.ts";

const gather = (lines: Omit<UserLine, "line">[]): UserLine[][] => {
	const batches = createUserBatches();
	return [...lines.flatMap((line, number) => batches.add({ line: number, ...line })), ...batches.rest()];
};
const people = (count: number, accounts: number, json = "{}") =>
	Array.from({ length: count }, (_, number) => ({ tenantId: number % 2 ? "acme" : "umbrella", json, accounts }));

it("limits the users, accounts and bytes per batch, each for one tenant", () => {
	const big = JSON.stringify({ name: "x".repeat(10_000) });
	for (const lines of [people(2_500, 1), people(600, 30), people(400, 1, big)]) {
		const batches = gather(lines);
		expect(batches.flat().length).toBe(lines.length);
		for (const batch of batches) {
			expect(new Set(batch.map(({ tenantId }) => tenantId)).size).toBe(1);
			expect(batch.length).toBeLessThanOrEqual(500);
			expect(batch.reduce((sum, { accounts }) => sum + accounts, 0)).toBeLessThanOrEqual(2_000);
			expect(batch.reduce((sum, { json }) => sum + json.length, 0)).toBeLessThan(1_000_000);
		}
	}
});
