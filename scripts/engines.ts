const ENGINE_PACKAGES = [
	"better-auth",
	"@better-auth/core",
	"@better-auth/drizzle-adapter",
	"@better-auth/kysely-adapter",
	"@better-auth/memory-adapter",
	"@better-auth/prisma-adapter",
];

const engine = (version: string, others: Record<string, string>): Record<string, string> => ({
	...Object.fromEntries(ENGINE_PACKAGES.map((name) => [name, version])),
	...others,
});

/**
 * The versions of Better Auth that the suite runs with, besides the one in the catalog, and the versions of what they are
 * built on. Packaged plugins stay at the catalog's version.
 */
export const ENGINES: Record<string, Record<string, string>> = {
	"1.7.18": engine("1.7.18", {
		"better-call": "1.4.0",
		"@better-fetch/fetch": "1.3.2",
		"@better-auth/utils": "0.5.0",
	}),
};
