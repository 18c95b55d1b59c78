import { isOlder } from "../../packages/tenants/src/engine/check-versions.ts";
import type { Registry } from "./registry.ts";

const RELEASE = /^\d+\.\d+\.\d+$/;

/**
 * The versions that a release of Better Auth and the libraries that it pins are installed in. A registry with gaps may lack
 * a pinned version. Then the newest one below it stands in, and never one of another major version.
 */
export const overridesOf = (version: string, registry: Registry): Record<string, string> => {
	if (!registry.versions("better-auth").includes(version))
		throw new Error(
			`better-auth ${version} is not published. Use one of: ${registry.versions("better-auth").join(", ")}`,
		);
	const pinned = Object.entries(registry.dependencies("better-auth", version)).filter(([, wanted]) =>
		RELEASE.test(wanted),
	);
	const found = pinned.map(([name, wanted]): [string, string] => [
		name,
		nearest(name, wanted, registry.versions(name)),
	]);
	return Object.fromEntries([...found, ["better-auth", version]].sort(([a = ""], [b = ""]) => a.localeCompare(b)));
};

const nearest = (name: string, wanted: string, published: string[]): string => {
	const [major = ""] = wanted.split(".", 1);
	const fitting = published
		.filter((version) => RELEASE.test(version) && version.startsWith(`${major}.`) && !isOlder(wanted, version))
		.sort(byVersion);
	const newest = fitting.at(-1);
	if (!newest) throw new Error(`${name} ${wanted} is not published, and neither is an older ${major}.x.`);
	return newest;
};

const byVersion = (one: string, other: string): number => (one === other ? 0 : isOlder(one, other) ? -1 : 1);

/** The newest release of Better Auth 1 that is newer than a version, if there is one. */
export const newerThan = (current: string, published: string[]): string | undefined =>
	published
		.filter((version) => RELEASE.test(version) && version.startsWith("1.") && isOlder(current, version))
		.sort(byVersion)
		.at(-1);
