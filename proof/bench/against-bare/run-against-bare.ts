import type { Outcome } from "test-kit/results/outcome";
import type { RunOptions } from "../part.ts";
import { eachSetting } from "../stage/each-setting.ts";
import { FLOWS, type Flow, orderOf } from "../stage/flows.ts";
import { compare, type Volley } from "../stage/rounds.ts";
import { countStatements } from "./count-statements.ts";
import { GOALS } from "./goals.ts";
import { judgeFlow } from "./judge.ts";
import type { AgainstBareResult, MeasuredFlow } from "./result.ts";
import type { SideName } from "./side-names.ts";
import { startThreads, type Threads } from "./start-threads.ts";

/** The engine with and without tenants, in one process and on one PostgreSQL, in turns. */
export const runAgainstBare = async ({ full, log }: RunOptions): Promise<Outcome<AgainstBareResult>> => {
	const rounds = full ? 30 : 10;
	const flows: MeasuredFlow[] = [];
	await eachSetting(FLOWS, startThreads, async ({ sides, setting, flows: chosen }) => {
		const compared: MeasuredFlow["compared"][] = [];
		for (const flow of chosen) {
			const { volleys, requests } = flow;
			const seen = await compare(volleysOf(flow, sides), { rounds, volleys, requests, from: 0 });
			compared.push(seen);
			log(`${flow.name}: ${seen.tenants.ratio.median.toFixed(3)} of the engine's speed`);
		}
		const counted = await countStatements(sides, chosen);
		for (const [at, { name, kind, requests, volleys, parallel }] of chosen.entries()) {
			const [speeds, statements] = [compared[at], counted[at]];
			if (!speeds || !statements) throw new Error(`${name} was not measured`);
			flows.push({ name, setting, goal: GOALS[kind], requests, volleys, parallel, compared: speeds, statements });
		}
	});
	flows.sort((one, other) => orderOf(one) - orderOf(other));
	return { result: { rounds, flows }, wrong: flows.flatMap(judgeFlow), lines: flows.map(tell) };
};

const volleysOf = ({ name, parallel }: Flow, sides: Threads["sides"]): Record<SideName, Volley<number>> => {
	const of =
		(side: SideName): Volley<number> =>
		async (first, count) => {
			await sides[side].prepare(name, first, count);
			return sides[side].volley(name, { first, count, parallel });
		};
	return { bare: of("bare"), endpoints: of("endpoints"), tenants: of("tenants") };
};

const tell = (flow: MeasuredFlow): string => {
	const { tenants, endpoints } = flow.compared;
	const { warm, cold } = flow.statements;
	return `${flow.name}: ${tenants.ratio.median.toFixed(3)} of the engine's speed (${tenants.ratio.low.toFixed(3)} to ${tenants.ratio.high.toFixed(3)}; endpoints alone ${endpoints.ratio.median.toFixed(3)}); statements ${warm.bare} without, ${warm.tenants} with, ${cold} cold`;
};
