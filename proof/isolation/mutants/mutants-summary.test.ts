import { expect, it } from "vitest";
import { DEFENSES } from "./defenses.ts";
import { type CaughtMutant, daysOf, summarize, withEarlier } from "./mutants-summary.ts";

const [first, second, third] = DEFENSES.map(({ id }) => id) as [string, string, string];

const outcome = (id: string, at: string, finding: string | null): CaughtMutant => ({
	id,
	at,
	name: id,
	threats: [],
	caughtBy: "tests",
	finding,
	operations: null,
	seconds: 1,
});

it("keeps earlier outcomes of mutants that were not tried out again, and drops those of removed defenses", () => {
	const earlier = [
		outcome(third, "2026-11-16T09:00:00.000Z", "seen"),
		outcome(first, "2026-11-16T09:00:00.000Z", "seen"),
		outcome("removed", "2026-11-16T09:00:00.000Z", null),
	];
	const tried = summarize([
		outcome(second, "2026-11-17T09:00:00.000Z", "seen"),
		outcome(first, "2026-11-17T09:00:00.000Z", null),
	]);
	const merged = withEarlier(tried, earlier);
	expect(merged.byMutant.map(({ id }) => id)).toEqual([first, second, third]);
	expect(merged).toMatchObject({ total: 3, caught: 2, survived: [first] });
	expect(daysOf(merged.byMutant)).toBe("1 on 2026-11-16, 2 on 2026-11-17");
});
