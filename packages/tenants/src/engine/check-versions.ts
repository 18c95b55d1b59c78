import type { AuthContext } from "@better-auth/core";
import { KNOWN_BAD_VERSIONS, type KnownBad } from "./known-bad-versions.ts";

/** Refuses versions that were not verified. */
export const checkEngine = (version: string): string[] => {
	const fits = Number(/^1\.7\.(\d+)/.exec(version)?.[1]) >= 7;
	return fits
		? []
		: [
				`better-auth ${version} is not supported: below 1.7.7 there are published critical advisories, and 1.8 was not verified. Install better-auth@^1.7.7 <1.8.`,
			];
};

/** Refuses versions with a published advisory, and plugins that may be such a one and do not say their version. */
export const checkVersions = ({ version, options }: Pick<AuthContext, "version" | "options">): string[] =>
	KNOWN_BAD_VERSIONS.flatMap((row) => {
		if (!row.plugin) return complain(row, version);
		const mounted = (options.plugins ?? []).filter(({ id }) => id === row.plugin);
		return mounted.flatMap((plugin) => complain(row, plugin.version));
	});

const complain = (row: KnownBad, version: unknown): string[] => {
	const parsed = parseVersion(version);
	const fixed = parseVersion(row.fixedIn);
	if (parsed && fixed && !isBelow(parsed, fixed)) return [];
	const about = `(${row.advisories.join(", ")}): ${row.reason}. Install ${row.package}@^${row.fixedIn}.`;
	const refused = parsed
		? `${row.package} ${version} is refused ${about}`
		: `the plugin "${row.plugin ?? row.package}" does not say its version, and ${row.package} is refused below ${row.fixedIn} ${about} If the plugin is your own, give it another id.`;
	return [row.also ? `${refused} ${row.also}` : refused];
};

type Version = { numbers: number[]; isPrerelease: boolean };

/** Semantic Versioning 2.0.0, section 2, 9 and 10. */
const VERSION = /^(\d+)\.(\d+)\.(\d+)(-[\w.-]+)?(?:\+[\w.-]+)?$/;

const parseVersion = (version: unknown): Version | null => {
	const match = typeof version === "string" ? VERSION.exec(version) : null;
	return match && { numbers: match.slice(1, 4).map(Number), isPrerelease: match[4] !== undefined };
};

/** A prerelease comes before its release, so the fix may not be in it. */
const isBelow = (version: Version, fixed: Version): boolean => {
	for (const [at, number] of fixed.numbers.entries()) {
		const own = version.numbers[at] ?? 0;
		if (own !== number) return own < number;
	}
	return version.isPrerelease;
};
