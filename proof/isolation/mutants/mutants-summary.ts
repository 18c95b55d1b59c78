import type { Defense } from "./defense.ts";
import { DEFENSES } from "./defenses.ts";

export type CaughtMutant = {
	id: string;
	/** when it was tried out */
	at: string;
	name: string;
	threats: number[];
	caughtBy: Defense["caughtBy"];
	/** what caught it; null if nothing did */
	finding: string | null;
	/** why it could not be run; such a mutant counts as survived */
	problem?: string;
	/** the model's operations until then; null for tests */
	operations: number | null;
	seconds: number;
};

export type MutantsSummary = {
	total: number;
	caught: number;
	caughtByModel: number;
	survived: string[];
	byMutant: CaughtMutant[];
};

/** The outcomes in the order of the defenses. The outcome of a defense that no longer exists is left out. */
export const summarize = (outcomes: CaughtMutant[]): MutantsSummary => {
	const byMutant = DEFENSES.flatMap(({ id }) => outcomes.filter((outcome) => outcome.id === id));
	const caught = byMutant.filter(({ finding }) => finding !== null);
	return {
		total: byMutant.length,
		caught: caught.length,
		caughtByModel: caught.filter(({ caughtBy }) => caughtBy === "model").length,
		survived: byMutant.filter(({ finding }) => finding === null).map(({ id }) => id),
		byMutant,
	};
};

/** Adds the outcomes of earlier runs for the mutants that were not tried out in this one. */
export const withEarlier = <Result extends MutantsSummary>(result: Result, earlier: CaughtMutant[]): Result => {
	const isNew = new Set(result.byMutant.map(({ id }) => id));
	return { ...result, ...summarize([...result.byMutant, ...earlier.filter(({ id }) => !isNew.has(id))]) };
};

/** On which days the mutants were tried out, such as "286 on 2026-11-16". */
export const daysOf = (outcomes: Pick<CaughtMutant, "at">[]): string => {
	const days = [...new Set(outcomes.map(({ at }) => at.slice(0, 10)))].sort();
	return days.map((day) => `${outcomes.filter(({ at }) => at.startsWith(day)).length} on ${day}`).join(", ");
};
