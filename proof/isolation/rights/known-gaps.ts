import type { EndKind } from "./beliefs.ts";

/** Where the rule does not hold yet, for requests that are under way. Counted and documented, not hidden. */
export const GAPS = {
	suspension: "Finished by a request that was under way when its tenant was suspended",
	policy: "Finished by a request that was under way when a policy became stricter",
	read: "Read by a request that was under way",
} as const;

export type Gap = keyof typeof GAPS;

/** The known gap that a request under way fell into, if it is one. */
export const gapOf = (end: EndKind, reads: boolean): Gap | null => {
	if (end === "suspend") return "suspension";
	if (end === "methods" || end === "factor") return "policy";
	return reads ? "read" : null;
};
