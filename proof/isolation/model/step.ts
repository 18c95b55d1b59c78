import type { Tenant } from "./beliefs.ts";
import type { Answer, Request } from "./http.ts";
import type { Roll } from "./roll.ts";
import type { Model } from "./state.ts";

/** One operation, ready to be sent: who does what, and what has to come of it. */
export type Step = {
	name: string;
	request: Request;
	/** whose data the answer may show; "all" for an operator's view of every tenant */
	scope: Tenant | "all";
	/** whose rows it may change; the scope's unless said otherwise */
	mayChange?: Tenant[];
	/** an artefact of this other tenant is replayed */
	foreign?: boolean;
	/** what it needs for itself: no two operations under way share one of these */
	claims: string[];
	/** nothing else may be under way */
	alone?: boolean;
	/** what is wrong with the answer; null where the model agrees */
	check: (answer: Answer) => string | null;
	/** what the model learns from an answer that it agrees with */
	settle?: (answer: Answer) => void | Promise<void>;
	/** what was left behind that has to be gone; asked after the model has learnt */
	leftovers?: () => Promise<string[]>;
};

/** Makes a step out of what the model knows; null where it does not fit the moment. */
export type Plan = (model: Model, roll: Roll) => Step | null;
