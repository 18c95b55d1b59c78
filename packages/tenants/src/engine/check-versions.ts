import type { AuthContext } from "@better-auth/core";
import { KNOWN_BAD_VERSIONS, type KnownBad } from "./known-bad-versions.ts";

/** Returns an error for a version of Better Auth that is not supported. */
export const checkEngine = (version: string): string[] => {
	const fits = Number(/^1\.7\.(\d+)/.exec(version)?.[1]) >= 7;
	return fits
		? []
		: [
				`better-auth ${version} is not supported: versions below 1.7.7 have published critical advisories, and 1.8 is not tested. Install better-auth@^1.7.7 <1.8.`,
			];
};

/** Returns errors for versions with a published advisory, and for plugins of such a package that report no version. */
export const checkVersions = ({ version, options }: Pick<AuthContext, "version" | "options">): string[] =>
	KNOWN_BAD_VERSIONS.flatMap((row) => {
		if (!row.plugin) return complain(row, version);
		const mounted = (options.plugins ?? []).filter(({ id }) => id === row.plugin);
		return mounted.flatMap((plugin) => complain(row, plugin.version));
	});

const complain = (row: KnownBad, version: unknown): string[] => {
	if (!isOlder(version, row.fixedIn)) return [];
	const about = `(${row.advisories.join(", ")}): ${row.reason}. Install ${row.package}@^${row.fixedIn}.`;
	const refused = parseVersion(version)
		? `${row.package} ${version} is refused ${about}`
		: `the plugin "${row.plugin ?? row.package}" reports no version, and ${row.package} is refused below ${row.fixedIn} ${about} If it is your own plugin, give it another id.`;
	return [row.also ? `${refused} ${row.also}` : refused];
};

/** Whether a version is lower than another. A text that is no version is. */
export const isOlder = (version: unknown, than: string): boolean => {
	const [parsed, other] = [parseVersion(version), parseVersion(than)];
	return !parsed || !other || isBelow(parsed, other);
};

type Version = { numbers: number[]; isPrerelease: boolean };

/** Semantic Versioning 2.0.0, sections 2, 9 and 10. */
const VERSION = /^(\d+)\.(\d+)\.(\d+)(-[\w.-]+)?(?:\+[\w.-]+)?$/;

const parseVersion = (version: unknown): Version | null => {
	const match = typeof version === "string" ? VERSION.exec(version) : null;
	return match && { numbers: match.slice(1, 4).map(Number), isPrerelease: match[4] !== undefined };
};

/** A prerelease is lower than its release, so it may not contain the fix. */
const isBelow = (version: Version, fixed: Version): boolean => {
	for (const [at, number] of fixed.numbers.entries()) {
		const own = version.numbers[at] ?? 0;
		if (own !== number) return own < number;
	}
	return version.isPrerelease;
};
