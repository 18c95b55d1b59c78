import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { publicPackages } from "./packages.ts";

/** A packed package. `tarball` is relative to the folder of the release. */
export type Packed = { name: string; version: string; tarball: string };

const packedPlan = z.object({
	plan: z.array(
		z.array(
			z.looseObject({
				name: z.string(),
				version: z.string(),
				tarball: z.object({ path: z.string(), integrity: z.string() }).optional(),
			}),
		),
	),
});

/** Reads which tarballs a release consists of. */
export const readPacked = (release: string): Packed[] =>
	packedPlan
		.parse(JSON.parse(readFileSync(join(release, "publish-plan.json"), "utf8")))
		.plan.flat()
		.flatMap(({ name, version, tarball }) => (tarball ? [{ name, version, tarball: tarball.path }] : []));

/** Packs what a plan of `changeset publish-plan` names, or every public package. */
export const packRelease = (root: string, release: string, plan: string | undefined): Packed[] => {
	rmSync(release, { recursive: true, force: true });
	mkdirSync(release, { recursive: true });
	const file = plan ?? join(release, "all.json");
	const everything = publicPackages(root).map(({ name, version }) => ({
		kind: "publish",
		name,
		version,
		access: "public",
		tag: "latest",
	}));
	if (plan === undefined) writeFileSync(file, JSON.stringify({ version: 1, plan: [everything] }));
	execFileSync("node_modules/.bin/changeset", ["pack", "--from-publish-plan", file, "--out-dir", release], {
		cwd: root,
		stdio: ["ignore", "ignore", "inherit"],
	});
	if (plan === undefined) rmSync(file);
	return readPacked(release);
};
