import type { Defense } from "./defense.ts";

const CODES = { caughtBy: "tests" as const, files: ["test/limits/code-guesses.security.test.ts"], threats: [158] };

/** What strangers can use up, and how often they may guess. */
export const SHARE_DEFENSES: Defense[] = [
	{
		id: "codes-are-counted",
		name: "Guesses at a mailed code are not counted over time",
		file: "limits/code-guesses.ts",
		find: "for (const user of users) await count(guess, user);",
		replace: "if (users.length < 0) await count(guess, tenantId);",
		...CODES,
		named: "counts the codes of one user on all endpoints",
	},
	{
		id: "codes-of-two-tenants",
		name: "Guesses at a user's code in one tenant use up the codes of another tenant's user",
		file: "limits/code-guesses.ts",
		find: "[secret, tenantId, user]",
		replace: '[secret && "", tenantId && "", user]',
		...CODES,
		named: "counts the codes of one user on all endpoints",
	},
	{
		id: "codes-of-one-address",
		name: "One address uses up all codes of a user",
		file: "limits/code-guesses.ts",
		find: "max: Math.ceil(limit.max / part)",
		replace: "max: limit.max * part",
		...CODES,
		named: "lets one address use up a quarter only",
	},
	{
		id: "codes-of-second-factors",
		name: "Codes of second factors are not counted over time",
		file: "limits/code-guesses.ts",
		find: "const guess = isFactors(query.model) ? peekState(unnamed) : null;",
		replace: 'const guess = isFactors(query.model) && query.model === "" ? peekState(unnamed) : null;',
		...CODES,
		named: "counts codes of second factors",
	},
];
