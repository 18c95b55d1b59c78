import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const PACKAGES = fileURLToPath(new URL("../../packages/", import.meta.url));

export type Packages = { tenants: string; create: string };

/** Packs the two published packages into a folder, as they would be published. Needs a build. */
export const packPackages = async (folder: string): Promise<Packages> => {
	assert.ok(existsSync(`${PACKAGES}tenants/dist/index.js`), "Run `pnpm build` first.");
	// the templates are copied again, so that the proof never sees old ones
	await run("pnpm", ["build"], { cwd: `${PACKAGES}create` });
	for (const name of ["tenants", "create"])
		await run("pnpm", ["pack", "--pack-destination", folder], { cwd: `${PACKAGES}${name}` });
	const packed = await readdir(folder);
	const find = (prefix: string) => join(folder, packed.find((file) => file.startsWith(prefix)) ?? "");
	return { tenants: find("better-auth-tenants-"), create: find("create-better-auth-tenants-") };
};

/** Creates an application with the packed `create-better-auth-tenants`, and gives it the packed `better-auth-tenants`. */
export const createApplication = async (packages: Packages, template: string, parent: string): Promise<string> => {
	const unpacked = join(parent, "create");
	await run("mkdir", ["-p", unpacked]);
	await run("tar", ["xzf", packages.create, "--directory", unpacked]);
	await run("node", [join(unpacked, "package/dist/main.js"), "app", "--template", template], { cwd: parent });
	const folder = join(parent, "app");
	await cp(packages.tenants, join(folder, "tenants.tgz"));
	// the only difference to what a user does, because the package is not published
	await run("npm", ["pkg", "set", "dependencies.better-auth-tenants=file:tenants.tgz"], { cwd: folder });
	return folder;
};
