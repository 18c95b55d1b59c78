import type { Outcome } from "test-kit/results/outcome";
import type { RunOptions } from "../part.ts";
import { eachSetting } from "../stage/each-setting.ts";
import { FLOWS, orderOf } from "../stage/flows.ts";
import { AT_ONCE } from "./at-once.ts";
import { compareCpu } from "./compare-cpu.ts";
import { GOALS } from "./goals.ts";
import { judgeFlow } from "./judge.ts";
import { describeAllocations } from "./judge-allocations.ts";
import { measureAllocations } from "./measure-allocations.ts";
import { profileSides } from "./profile-sides.ts";
import type { CpuFlow, CpuResult } from "./result.ts";
import { SIDES } from "./sides.ts";
import { startSides } from "./start-sides.ts";

/** The CPU time and the allocations of requests, with the engine alone and with tenants. */
export const runCpu = async ({ full, log }: RunOptions): Promise<Outcome<CpuResult>> => {
	const rounds = full ? 30 : 6;
	const allocations = await measureAllocations();
	for (const flow of allocations) log(describeAllocations(flow));
	const flows: CpuFlow[] = [];
	await eachSetting(FLOWS, startSides, async ({ sides, setting, flows: chosen }) => {
		for (const whole of chosen) {
			const flow = full ? whole : { ...whole, volleys: Math.ceil(whole.volleys / 3) };
			const { name, kind } = flow;
			const atOnce: CpuFlow["atOnce"] = [];
			for (const parallel of AT_ONCE)
				atOnce.push({ parallel, sides: await compareCpu(sides, flow, { parallel, rounds }) });
			const last = atOnce.at(-1);
			const allocated = allocations.find((one) => one.name === name)?.allocated;
			if (!last || !allocated) throw new Error(`${name} was not measured`);
			const profiled = await profileSides(sides, flow, { parallel: last.parallel, measured: last.sides });
			const owners = profiled.map(({ side, owners: us }) => ({ side, us }));
			const measured = { name, setting, goal: GOALS[kind], atOnce, allocated, owners };
			flows.push(measured);
			log(tell(measured));
		}
	});
	flows.sort((one, other) => orderOf(one) - orderOf(other));
	const result: CpuResult = {
		rounds,
		undisturbed: Math.ceil(rounds / 2),
		sides: SIDES.map(({ name, title }) => ({ name, title })),
		flows,
	};
	return { result, wrong: flows.flatMap(judgeFlow), lines: flows.map(tell) };
};

const tell = ({ name, atOnce }: CpuFlow): string =>
	`${name}: ${atOnce
		.flatMap(({ parallel, sides: [, ...compared] }) =>
			compared.map(
				({ side, ratio: { median, low, high } }) =>
					`${median.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}) ${side}, ${parallel} at once`,
			),
		)
		.join("; ")}`;
