import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PACKAGES = fileURLToPath(new URL("../../", import.meta.url));

/** Packs a published package into a folder, as it would be published. Returns the name of the tarball. Needs a build. */
export const packPackage = async (name: "tenants" | "react" | "create", folder: string): Promise<string> => {
	const cwd = join(PACKAGES, name);
	assert.ok(existsSync(join(cwd, "dist")), "Run `pnpm build` first.");
	const args = ["pack", "--json", "--pack-destination", folder];
	const { stdout } = await promisify(execFile)("pnpm", args, { cwd });
	const { filename }: { filename: string } = JSON.parse(stdout);
	return filename.slice(filename.lastIndexOf("/") + 1);
};
