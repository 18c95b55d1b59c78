import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// The service is not in the registry, so changesets leave its version alone. It is that of the packages.
//
//   node scripts/release/service-version.ts     after `changeset version`

/** Where the version of the service is written. */
const PLACES: readonly [file: string, place: RegExp][] = [
	["apps/server/package.json", /(?<="version": ")[^"]+/],
	["apps/console/package.json", /(?<="version": ")[^"]+/],
	["apps/server/chart/Chart.yaml", /(?<=^(?:version: |appVersion: "))[\w.-]+/gm],
	["apps/server/kubernetes.yaml", /(?<=better-auth-tenants:)[\w.-]+/g],
	["apps/server/compose.yaml", /(?<=VERSION:-)[\w.-]+/g],
	["apps/server/Dockerfile", /(?<=-t better-auth-tenants:)[\w.-]+/g],
	["docs/deploying.md", /(?<=-t better-auth-tenants:)[\w.-]+/g],
];
/** The name of a job has it without dots. */
const JOBS: readonly [file: string, place: RegExp] = ["apps/server/kubernetes.yaml", /(?<=auth-migrate-)[\w-]+/g];

const versionOf = (manifest: string): string => (JSON.parse(manifest) as { version: string }).version;

/** The files that name the version of the service, with that of the packages. Throws if one does not name it any more. */
export const withPackageVersion = (read: (file: string) => string): Map<string, string> => {
	const version = versionOf(read("packages/tenants/package.json"));
	const texts = new Map<string, string>();
	for (const [file, place, written] of [
		...PLACES.map((one) => [...one, version] as const),
		[...JOBS, version.replaceAll(".", "-")] as const,
	]) {
		const text = texts.get(file) ?? read(file);
		if (text.search(place) < 0)
			throw new Error(`${file} names no version at ${place}. Adapt scripts/release/service-version.ts.`);
		texts.set(file, text.replace(place, written));
	}
	return texts;
};

if (import.meta.main) {
	const root = join(import.meta.dirname, "../..");
	const texts = withPackageVersion((file) => readFileSync(join(root, file), "utf8"));
	for (const [file, text] of texts) writeFileSync(join(root, file), text);
}
