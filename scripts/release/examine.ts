import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import * as z from "zod";
import { checkSbom } from "./check-sbom.ts";
import { checkPackage } from "./check-tarball.ts";
import type { Packed } from "./pack.ts";
import type { PublicPackage } from "./packages.ts";
import { writeSbom } from "./write-sbom.ts";

const dependencies = z.record(z.string(), z.string()).default({});
const manifest = z.looseObject({ dependencies, devDependencies: dependencies, peerDependencies: dependencies });

/** The name of the SBOM beside a tarball. */
export const sbomOf = (tarball: string): string => tarball.replace(/\.tgz$/, ".cdx.json");

/** Checks a tarball, writes its SBOM beside it and checks that. Returns the problems of both. */
export const examine = (root: string, release: string, packed: Packed, source: PublicPackage): string[] => {
	const folder = mkdtempSync(join(tmpdir(), "tarball-"));
	try {
		execFileSync("tar", ["--extract", `--file=${join(release, packed.tarball)}`, `--directory=${folder}`]);
		const unpacked = join(folder, "package");
		const { name, version } = packed;
		const inside = checkPackage(unpacked, { name, version, folder: source.folder });
		const needs = manifest.parse(JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8")));
		const file = join(release, sbomOf(packed.tarball));
		writeSbom(root, unpacked, file);
		const described = checkSbom(JSON.parse(readFileSync(file, "utf8")), {
			name,
			version,
			direct: Object.keys(needs.dependencies),
			others: Object.keys({ ...needs.devDependencies, ...needs.peerDependencies }),
		});
		return [
			...inside.map((problem) => `${basename(packed.tarball)} ${problem}`),
			...described.map((problem) => `${basename(file)} ${problem}`),
		];
	} finally {
		rmSync(folder, { recursive: true });
	}
};

/** Writes SHA256SUMS for `sha256sum --check`. */
export const writeChecksums = (release: string, packed: Packed[]): void => {
	const lines = packed
		.flatMap(({ tarball }) => [tarball, sbomOf(tarball)])
		.map(
			(file) =>
				`${createHash("sha256")
					.update(readFileSync(join(release, file)))
					.digest("hex")}  ${basename(file)}\n`,
		);
	writeFileSync(join(release, "packages/SHA256SUMS"), lines.join(""));
};
