import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PACKAGE = fileURLToPath(new URL("../../packages/tenants", import.meta.url));

/** Packs the package as it would be published, into a folder. Returns the name of the tarball. */
export const packInto = async (folder: string): Promise<string> => {
	assert.ok(existsSync(`${PACKAGE}/dist/index.js`), "Run `pnpm build` first.");
	await promisify(execFile)("pnpm", ["pack", "--pack-destination", folder], { cwd: PACKAGE });
	const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
	assert.ok(tarball, "pnpm packed nothing.");
	return tarball;
};
