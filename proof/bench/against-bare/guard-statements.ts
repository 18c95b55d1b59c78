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

/** What is worse than in the recorded run. */
const judgeCount = ({ name, statements: { warm, cold } }: Count, recorded: AgainstBareResult | undefined): string[] => {
	const known = recorded?.flows.find((flow) => flow.name === name)?.statements;
	if (!known) return [`${name}: no recorded result to compare with; run pnpm bench --part against-bare`];
	return [
		...(warm.tenants > known.warm.tenants
			? [`${name}: ${warm.tenants} statements when warm; they were ${known.warm.tenants}`]
			: []),
		...(cold > known.cold ? [`${name}: ${cold} statements when cold; they were ${known.cold}`] : []),
	];
};
