import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const manifest = z.looseObject({});

/** Asks npm and the SBOM tool about published packages only. Peers belong to the application, and scripts are not run. */
const NOT_INSTALLED = ["devDependencies", "peerDependencies", "peerDependenciesMeta", "scripts"];

/**
 * Writes the SBOM of an unpacked tarball: CycloneDX, validated against its schema by the tool. Installs the package's
 * production dependencies with npm in its folder, because the tool reads trees of npm.
 */
export const writeSbom = (root: string, folder: string, file: string): void => {
	const path = join(folder, "package.json");
	const kept = Object.entries(manifest.parse(JSON.parse(readFileSync(path, "utf8")))).filter(
		([key]) => !NOT_INSTALLED.includes(key),
	);
	writeFileSync(path, JSON.stringify(Object.fromEntries(kept)));
	// the tool runs the package manager that runs this script, and can read only npm
	const env = { ...process.env, npm_execpath: undefined };
	const run = (program: string, ...args: string[]) =>
		execFileSync(program, args, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
	run("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund");
	const options = ["--omit", "dev", "--mc-type", "library", "--output-reproducible", "--validate"];
	run(join(root, "node_modules/.bin/cyclonedx-npm"), ...options, "--output-file", file);
};
