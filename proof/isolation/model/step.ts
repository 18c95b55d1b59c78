import type { Tenant } from "./beliefs.ts";
import type { Answer, Request } from "./http.ts";
import type { Roll } from "./roll.ts";
import type { Model } from "./state.ts";

/** One operation, ready to send: who does what, and the expected outcome. */
export type Step = {
	name: string;
	request: Request;
	/** whose data the response may contain; "all" for an operator's view of every tenant */
	scope: Tenant | "all";
	/** whose rows it may change; by default the scope's */
	mayChange?: Tenant[];
	/** an artifact of this other tenant is replayed */
	foreign?: boolean;
	/** its exclusive resources: no two concurrent operations share one */
	claims: string[];
	/** runs alone */
	alone?: boolean;
	/** what is wrong with the response; null if it matches the model */
	check: (answer: Answer) => string | null;
	/** updates the model after a matching response */
	settle?: (answer: Answer) => void | Promise<void>;
	/** data that should be gone; checked after the update */
	leftovers?: () => Promise<string[]>;
};

/** Creates a step from the model; null if it does not fit. */
export type Plan = (model: Model, roll: Roll) => Step | null;
