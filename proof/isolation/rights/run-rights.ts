import { OWN_SOURCE } from "../app/start-app.ts";
import { rollWith } from "../model/roll.ts";
import type { Gap } from "./known-gaps.ts";
import { startRound } from "./people.ts";
import { type Counts, playRound, type Violation } from "./play-round.ts";
import type { Store } from "./stores.ts";
import { startWorld } from "./world.ts";

/** Operations of one round. */
export const ROUND = 250;

export type StoreResult = {
	name: string;
	operations: number;
	held: number;
	violations: (Violation & { round: number })[];
	counts: Counts;
	gaps: Record<Gap, number>;
};

export type Play = {
	store: Store;
	operations: number;
	seed: number;
	/** the first round, or the only one to repeat */
	round?: number;
	source?: string;
	/** stops after so many violations */
	enough?: number;
	trace?: (line: string) => void;
};

/** Plays rounds on one store. Each has its own tenants and its own seed, so that one can be repeated alone. */
export const playStore = async ({
	store,
	operations,
	seed,
	round: first = 0,
	source = OWN_SOURCE,
	enough = 10,
	trace = () => {},
}: Play): Promise<StoreResult> => {
	const world = await startWorld(store, source);
	const result: StoreResult = {
		name: store.name,
		operations: 0,
		held: 0,
		violations: [],
		counts: {},
		gaps: { suspension: 0, policy: 0, read: 0 },
	};
	try {
		for (let round = first; result.operations < operations && result.violations.length < enough; round++) {
			const roll = rollWith((seed + Math.imul(round, 0x9e3779b1)) | 0);
			const model = await startRound(world, String(round));
			result.operations += await playRound({
				world,
				model,
				roll,
				operations: Math.min(ROUND, operations - result.operations),
				counts: result.counts,
				gaps: result.gaps,
				trace,
				report: (violation) => {
					result.violations.push({ ...violation, round });
					trace(`VIOLATION ${violation.message}`);
				},
				isOver: () => result.violations.length >= enough,
			});
			world.database.statements.length = 0;
		}
	} catch (error) {
		// requests that wait for each other keep their connections, so the end of the world waits, too
		void world.stop().catch(() => {});
		throw error;
	}
	await world.stop();
	result.held = Object.values(result.counts).reduce((sum, { held }) => sum + held, 0);
	return result;
};
