import type { Outcome } from "test-kit/results/outcome";
import type { RunOptions } from "../part.ts";
import type { Fault, Seen } from "./fault.ts";
import { PROCESS_FAULTS } from "./process-faults.ts";
import { REDIS_FAULTS } from "./redis-faults.ts";
import { openStage } from "./stage.ts";

const FAULTS: Fault[] = [...REDIS_FAULTS, ...PROCESS_FAULTS];

export type FaultsResult = { faults: (Omit<Seen, "wrong"> & { name: string; held: boolean })[] };

/** Puts the service through one fault after the other. */
export const runFaults = async ({ log }: RunOptions): Promise<Outcome<FaultsResult>> => {
	const stage = await openStage();
	const faults: FaultsResult["faults"] = [];
	const wrong: string[] = [];
	try {
		for (const { name, run } of FAULTS) {
			try {
				const seen = await run(stage);
				faults.push({ name, outcome: seen.outcome, lost: seen.lost, held: seen.wrong.length === 0 });
				wrong.push(...seen.wrong.map((what) => `${name}: ${what}`));
				log(`${name}: ${seen.outcome}; lost: ${seen.lost}`);
			} finally {
				await stage.clear();
			}
		}
	} finally {
		await stage.close();
	}
	const lost = faults.reduce((sum, fault) => sum + fault.lost, 0);
	return { result: { faults }, wrong, lines: [`${faults.length} faults, ${lost} sessions, changes or mails lost`] };
};
