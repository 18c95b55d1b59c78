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
	/** concurrent sign-ins in a burst, and the rate of health checks meanwhile */
	parallel: number;
	probesPerSecond: number;
	/** the goals apply to the first */
	variants: VariantResult[];
	limits: LimitsResult;
};
