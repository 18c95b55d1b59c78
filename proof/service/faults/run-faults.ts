import type { Outcome } from "test-kit/results/outcome";
import type { RunOptions } from "../part.ts";
import type { Counted } from "./counted.ts";
import type { Fault, Seen } from "./fault.ts";
import { OPERATION_FAULTS } from "./operation-faults.ts";
import { PROCESS_FAULTS } from "./process-faults.ts";
import { REDIS_FAULTS } from "./redis-faults.ts";
import { openStage } from "./stage.ts";

const FAULTS: Fault[] = [...REDIS_FAULTS, ...PROCESS_FAULTS, ...OPERATION_FAULTS];

export type FaultsResult = { faults: (Omit<Seen, "wrong" | "load"> & Counted & { name: string; held: boolean })[] };

/** Puts the service through one fault after the other. */
export const runFaults = async ({ log }: RunOptions): Promise<Outcome<FaultsResult>> => {
	const stage = await openStage();
	const faults: FaultsResult["faults"] = [];
	const wrong: string[] = [];
	try {
		for (const { name, run } of FAULTS) {
			try {
				const seen = await run(stage);
				const { requests, failed } = stage.counted();
				const { outcome, lost, load = { requests: 0, failed: 0 } } = seen;
				faults.push({
					name,
					outcome,
					requests: requests + load.requests,
					failed: failed + load.failed,
					lost,
					held: seen.wrong.length === 0,
				});
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
