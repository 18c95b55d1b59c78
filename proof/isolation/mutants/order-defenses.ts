import type { Defense } from "./defense.ts";

const STEPS = { caughtBy: "tests" as const, file: "plugin/steps.ts" };
const CHECKS = {
	...STEPS,
	files: ["test/scope/order-of-checks.security.test.ts"],
	named: "costs no statement",
	threats: [63],
};

/** Steps that must not change places: see plugin/steps.ts. */
export const ORDER_DEFENSES: Defense[] = [
	{
		id: "counted-after-providers",
		name: "A request is counted after its tenant's OAuth configs are read",
		find: /\{ run: part\.countRequest \},\n([\s\S]*?)\t\{ run: part\.prepareProviders \},/,
		replace: "$1\t{ run: part.prepareProviders },\n\t{ run: part.countRequest },",
		...CHECKS,
	},
	{
		id: "providers-before-all",
		name: "OAuth configs are read before anything may refuse the request",
		find: /\{ run: part\.orderConsumption \},\n([\s\S]*?)\t\{ run: part\.prepareProviders \},/,
		replace: "{ run: part.prepareProviders },\n\t{ run: part.orderConsumption },\n$1",
		...CHECKS,
	},
	{
		id: "bounds-by-scoped-keys",
		name: "Values are bounded by keys that the bounds do not know",
		find: "\tpart.scope,\n\tpart.boundValues,",
		replace: "\tpart.boundValues,\n\tpart.scope,",
		...STEPS,
		files: ["test/bounds/stored-values.security.test.ts"],
		named: "keeps no state in Redis",
		threats: [156],
	},
	{
		id: "ended-by-scoped-keys",
		name: "Ended sessions are looked for under keys that have no such name",
		find: /part\.scope,\n([\s\S]*?)\tpart\.hideEnded,/,
		replace: "$1\tpart.hideEnded,\n\tpart.scope,",
		...STEPS,
		files: ["test/lifecycle/ended-sessions.security.test.ts"],
		named: "hides sessions and links that are left",
		threats: [108],
	},
];
