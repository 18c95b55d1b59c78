import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { examine, sbomOf, writeChecksums } from "./examine.ts";
import { packRelease } from "./pack.ts";
import { publicPackages } from "./packages.ts";
import { publishSettings, refusesWithoutProvenance } from "./provenance.ts";
import { stageRelease } from "./stage.ts";

/*
 * Writes what a release consists of into release/, and checks it. Publishes nothing.
 *
 *   pnpm release:dry-run               the next version of every package, as the pending changesets set it
 *   pnpm release:dry-run --plan FILE   what `changeset publish-plan --output FILE` found, at the version of the workspace
 */
const { values } = parseArgs({ options: { plan: { type: "string" } } });
const root = join(import.meta.dirname, "../..");
const release = join(root, "release");

const staged = values.plan === undefined ? mkdtempSync(join(tmpdir(), "release-")) : root;
const problems: string[] = [];
try {
	if (staged !== root) stageRelease(root, staged);
	const packages = publicPackages(staged);
	const packed = packRelease(staged, release, values.plan && resolve(values.plan));
	for (const one of packed) {
		const source = packages.find(({ name }) => name === one.name);
		if (!source) throw new Error(`${one.name} is not a public package of this workspace.`);
		problems.push(...examine(root, release, one, source));
	}
	writeChecksums(release, packed);
	const { env, permissions } = publishSettings(root);
	if (permissions["id-token"] !== "write")
		problems.push("release.yml does not grant id-token: write to its job publish.");
	for (const { name, tarball } of packed)
		if (!(await refusesWithoutProvenance(join(release, tarball), env)))
			problems.push(`${name} would be published without provenance. Set it for the step publish of release.yml.`);
	for (const { name, version, tarball } of packed)
		for (const file of [tarball, sbomOf(tarball)])
			console.log(
				`${name}@${version}: release/${file}, ${statSync(join(release, file)).size.toLocaleString("en")} bytes`,
			);
	console.log(
		packed.length === 0
			? "Nothing to publish: the registry has every version."
			: `Public access, with provenance. Checksums: release/packages/SHA256SUMS. Nothing was published.`,
	);
} finally {
	if (staged !== root) rmSync(staged, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
