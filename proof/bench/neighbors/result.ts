import type { BurstResult } from "./burst.ts";
import type { ChosenRates } from "./choose-rates.ts";
import type { LimitsResult } from "./limits.ts";
import type { Conditioned } from "./under-load.ts";
import type { Variant } from "./variants.ts";

export type VariantResult = Variant & { conditions: Conditioned[]; bursts: BurstResult[] };

export type NeighborsResult = {
	tenants: number;
	rates: ChosenRates;
	rounds: number;
	/** of each condition in a round */
	seconds: number;
	/** connections of each server to the database */
	poolSize: number;
	/** sign-ins at once in a burst, and how often health is asked meanwhile */
	parallel: number;
	probesPerSecond: number;
	/** the goals are those of the first */
	variants: VariantResult[];
	limits: LimitsResult;
};
