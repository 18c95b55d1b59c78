import type { Outcome } from "test-kit/results/outcome";
import type { Run } from "test-kit/results/recorded-run";
import { readResult } from "../results.ts";
import { eachSetting } from "../stage/each-setting.ts";
import { FLOWS } from "../stage/flows.ts";
import { type Counted, countStatements } from "./count-statements.ts";
import type { AgainstBareResult } from "./result.ts";
import { startThreads } from "./start-threads.ts";

type Count = { name: string; statements: Counted };

/** Counts the statements of every flow and compares them with the recorded run. Independent of the machine's speed. */
export const guardStatements = async (): Promise<Outcome<{ counts: Count[] }>> => {
	const counts: Count[] = [];
	await eachSetting(FLOWS, startThreads, async ({ sides, flows }) => {
		const counted = await countStatements(sides, flows);
		for (const [at, { name }] of flows.entries()) {
			const statements = counted[at];
			if (!statements) throw new Error(`${name} was not counted`);
			counts.push({ name, statements });
		}
	});
	const recorded = await readResult<Run<AgainstBareResult>>("against-bare");
	return {
		result: { counts },
		wrong: counts.flatMap((count) => judgeCount(count, recorded?.result)),
		lines: counts.map(
			({ name, statements: { warm, cold } }) =>
				`${name}: statements ${warm.bare} without tenants, ${warm.tenants} with, ${cold} cold`,
		),
	};
};

/**
 * What is worse than in the recorded run: statements that Better Auth alone does not send. Another version of it may send more
 * or fewer, with and without tenants.
 */
const judgeCount = ({ name, statements: { warm, cold } }: Count, recorded: AgainstBareResult | undefined): string[] => {
	const known = recorded?.flows.find((flow) => flow.name === name)?.statements;
	if (!known) return [`${name}: no recorded result to compare with; run pnpm bench --part against-bare`];
	const more = { warm: warm.tenants - warm.bare, cold: cold - warm.bare };
	const knownMore = { warm: known.warm.tenants - known.warm.bare, cold: known.cold - known.warm.bare };
	return (["warm", "cold"] as const)
		.filter((state) => more[state] > knownMore[state])
		.map(
			(state) =>
				`${name}: ${more[state]} statements more than Better Auth alone when ${state}; they were ${knownMore[state]}`,
		);
};
