import type { Outcome } from "test-kit/results/outcome";
import type { RunOptions } from "../part.ts";
import { compare, type Volley } from "../stage/rounds.ts";
import { countStatements } from "./count-statements.ts";
import { eachSetting } from "./each-setting.ts";
import { FLOWS, type Flow } from "./flows.ts";
import { judgeFlow } from "./judge.ts";
import type { AgainstBareResult, MeasuredFlow } from "./result.ts";
import type { SideName } from "./sides.ts";
import type { Threads } from "./start-threads.ts";

/** The engine with and without tenants, in one process and on one PostgreSQL, in turns. */
export const runAgainstBare = async ({ full, log }: RunOptions): Promise<Outcome<AgainstBareResult>> => {
	const rounds = full ? 30 : 10;
	const flows: MeasuredFlow[] = [];
	await eachSetting(async ({ sides, setting, flows: chosen }) => {
		const compared: MeasuredFlow["compared"][] = [];
		for (const flow of chosen) {
			const { volleys, requests } = flow;
			const seen = await compare(volleysOf(flow, sides), { rounds, volleys, requests, from: 0 });
			compared.push(seen);
			log(`${flow.name}: ${seen.tenants.ratio.median.toFixed(3)} of the engine's speed`);
		}
		const counted = await countStatements(sides, chosen);
		for (const [at, { name, goal, requests, volleys, parallel }] of chosen.entries()) {
			const [speeds, statements] = [compared[at], counted[at]];
			if (!speeds || !statements) throw new Error(`${name} was not measured`);
			flows.push({ name, setting, goal, requests, volleys, parallel, compared: speeds, statements });
		}
	});
	flows.sort((one, other) => orderOf(one) - orderOf(other));
	return { result: { rounds, flows }, wrong: flows.flatMap(judgeFlow), lines: flows.map(tell) };
};

const volleysOf = ({ name, parallel }: Flow, sides: Threads["sides"]): Record<SideName, Volley> => {
	const of =
		(side: SideName): Volley =>
		async (first, count) => {
			await sides[side].prepare(name, first, count);
			return sides[side].volley(name, first, count, parallel);
		};
	return { bare: of("bare"), endpoints: of("endpoints"), tenants: of("tenants") };
};

const orderOf = ({ name }: MeasuredFlow): number => FLOWS.findIndex((flow) => flow.name === name);

const tell = (flow: MeasuredFlow): string => {
	const { tenants, endpoints } = flow.compared;
	const { warm, cold } = flow.statements;
	return `${flow.name}: ${tenants.ratio.median.toFixed(3)} of the engine's speed (${tenants.ratio.low.toFixed(3)} to ${tenants.ratio.high.toFixed(3)}; endpoints alone ${endpoints.ratio.median.toFixed(3)}); statements ${warm.bare} without, ${warm.tenants} with, ${cold} cold`;
};
