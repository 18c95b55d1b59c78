import { eachSetting } from "../stage/each-setting.ts";
import { FLOWS } from "../stage/flows.ts";
import { AT_ONCE } from "./at-once.ts";
import { compareCpu } from "./compare-cpu.ts";
import { listOwners } from "./compare-owners.ts";
import { profileSides } from "./profile-sides.ts";
import { startSides } from "./start-sides.ts";

const ROUNDS = 10;
const OWNERS = 100;
const FUNCTIONS = 40;

/** Whose microseconds a flow's requests take, as lines. */
export const profileFlow = async (name: string): Promise<string[]> => {
	const flows = FLOWS.filter((flow) => flow.name === name);
	if (flows.length === 0)
		throw new Error(`Unknown flow "${name}". Choose from ${FLOWS.map((flow) => `"${flow.name}"`).join(", ")}`);
	const lines: string[] = [];
	const parallel = Math.max(...AT_ONCE);
	await eachSetting(flows, startSides, async ({ sides, flows: [flow] }) => {
		if (!flow) return;
		const measured = await compareCpu(sides, flow, { parallel, rounds: ROUNDS });
		const profiled = await profileSides(sides, flow, { parallel, measured });
		lines.push(
			`Microseconds of CPU per request of ${name}, ${parallel} at once. Added is the last side minus the first`,
			...measured.map(({ side, us, ratio }, at) => `side ${at + 1}: ${side}, ${us.median}, ratio ${ratio.median}`),
			...listOwners(
				profiled.map(({ side, owners }) => ({ side, us: owners })),
				OWNERS,
			),
			"The functions that differ most",
			...listOwners(
				profiled.map(({ side, functions }) => ({ side, us: functions })),
				FUNCTIONS,
			),
		);
	});
	return lines;
};
