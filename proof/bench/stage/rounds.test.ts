import { describe, expect, it } from "vitest";
import { compare, takeTurns } from "./rounds.ts";

describe("turns", () => {
	it("give every volley new numbers, change the order, and leave the warm-up out", async () => {
		const sent: [string, number, number][] = [];
		const volleyOf = (name: string) => async (first: number, count: number) => {
			sent.push([name, first, count]);
			return first;
		};
		const taken = await takeTurns(
			{ one: volleyOf("one"), other: volleyOf("other") },
			{ rounds: 2, warmUps: 1, volleys: 2, requests: 5, from: 100 },
		);
		expect(sent.map(([, first]) => first)).toEqual(Array.from({ length: 12 }, (_, at) => 100 + at * 5));
		expect(new Set(sent.map(([name]) => name).slice(0, 4))).toEqual(new Set(["one", "other"]));
		const leading = sent.filter((_, at) => at % 2 === 0).map(([name]) => name);
		expect(new Set(leading)).toEqual(new Set(["one", "other"]));
		expect(taken).toHaveLength(2);
		for (const round of taken) for (const volleys of Object.values(round)) expect(volleys).toHaveLength(2);
		expect(Math.min(...taken.flatMap((round) => [...round.one, ...round.other]))).toBe(120);
	});

	it("compare requests per second with the first side", async () => {
		const compared = await compare(
			{ one: async () => 100, other: async () => 200 },
			{ rounds: 3, volleys: 2, requests: 10 },
		);
		expect(compared.one.speed.median).toBe(100);
		expect(compared.other.speed.median).toBe(50);
		expect(compared.other.ratio).toEqual({ median: 0.5, low: 0.5, high: 0.5 });
	});
});
