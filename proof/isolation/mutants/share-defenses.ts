import type { Defense } from "./defense.ts";

const CODES = { caughtBy: "tests" as const, files: ["test/limits/code-guesses.security.test.ts"], threats: [158] };

const COUNTERS = { caughtBy: "tests" as const, files: ["test/limits/same-counters.security.test.ts"], threats: [159] };
const STRANGERS = {
	caughtBy: "tests" as const,
	files: ["test/policy/sign-up.security.test.ts"],
	named: "does not let strangers use up the limit",
	threats: [159],
};

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
	{
		id: "counters-of-twins",
		name: "The two paths of an endpoint have a counter each",
		file: "engine/counter-key.ts",
		find: "if (fixed.has(path)) return delegateOf(path);",
		replace: "if (fixed.has(path)) return path;",
		...COUNTERS,
		named: "counts both paths of an endpoint",
	},
	{
		id: "counters-in-the-database",
		name: "The two paths of an endpoint have a counter each in the database",
		file: "start-services.ts",
		find: 'tablesByName(model).key === "rateLimit", counterKey)',
		replace: 'tablesByName(model).key === "rateLimit", (key) => key)',
		...COUNTERS,
		named: "counts both paths of an endpoint, in the database",
	},
	{
		id: "counters-of-invented-paths",
		name: "Each invented path has a counter of its own",
		file: "engine/counter-key.ts",
		find: "return found ? delegateOf(found.path) : UNKNOWN_PATH;",
		replace: "return found ? delegateOf(found.path) : UNKNOWN_PATH + path;",
		...COUNTERS,
		named: "has one for all paths that do not exist",
	},
	{
		id: "counters-of-a-network",
		name: "Each IPv6 /64 of a network has counters of its own",
		file: "engine/client-network.ts",
		find: "advanced?.ipAddress?.ipv6Subnet === undefined && GROUPS.test(address)",
		replace: "advanced?.ipAddress?.ipv6Subnet !== undefined && GROUPS.test(address)",
		...COUNTERS,
		named: "counts an IPv6 /56 as one address",
	},
	{
		id: "strangers-count-apart",
		name: "Strangers use up the limit of signed-in users",
		file: "limits/tenant-requests.ts",
		find: "`${name}-users:${tenantId}`",
		replace: "`${name}:${tenantId}`",
		...STRANGERS,
	},
	{
		id: "strangers-of-one-address",
		name: "One address uses up the strangers' limit of a tenant",
		file: "limits/tenant-requests.ts",
		find: "max: Math.ceil(limit.max / QUARTER)",
		replace: "max: limit.max * QUARTER",
		...STRANGERS,
	},
	{
		id: "users-are-proven-by-signature",
		name: "An unsigned session cookie makes a stranger a user",
		file: "engine/verify-signed.ts",
		find: /return crypto\.subtle\.verify\((.+)\);/,
		replace: 'return (await crypto.subtle.verify($1)) || value !== "";',
		...STRANGERS,
	},
];
