import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const PACKAGES = fileURLToPath(new URL("../../packages/", import.meta.url));

export type Packages = { tenants: string; react: string; create: string };

/** Packs the published packages into a folder, as they would be published. Needs a build. */
export const packPackages = async (folder: string): Promise<Packages> => {
	for (const name of ["tenants", "react"])
		assert.ok(existsSync(`${PACKAGES}${name}/dist/index.js`), "Run `pnpm build` first.");
	// the templates are copied again, so that the proof never sees old ones
	await run("pnpm", ["build"], { cwd: `${PACKAGES}create` });
	for (const name of ["tenants", "react", "create"])
		await run("pnpm", ["pack", "--pack-destination", folder], { cwd: `${PACKAGES}${name}` });
	const packed = await readdir(folder);
	const find = (name: string) => join(folder, packed.find((file) => file.replace(/-\d.*$/, "") === name) ?? "");
	return {
		tenants: find("better-auth-tenants"),
		react: find("better-auth-tenants-react"),
		create: find("create-better-auth-tenants"),
	};
};

/** Creates an application with the packed `create-better-auth-tenants`, and gives it the packed packages that it uses. */
export const createApplication = async (packages: Packages, template: string, parent: string): Promise<string> => {
	const unpacked = join(parent, "create");
	await run("mkdir", ["-p", unpacked]);
	await run("tar", ["xzf", packages.create, "--directory", unpacked]);
	await run("node", [join(unpacked, "package/dist/main.js"), "app", "--template", template], { cwd: parent });
	const folder = join(parent, "app");
	const { dependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
	for (const name of ["tenants", "react"] as const) {
		const dependency = name === "tenants" ? "better-auth-tenants" : `better-auth-tenants-${name}`;
		if (!(dependency in dependencies)) continue;
		await cp(packages[name], join(folder, `${name}.tgz`));
		// the only difference to what a user does, because the packages are not published
		await run("npm", ["pkg", "set", `dependencies.${dependency}=file:${name}.tgz`], { cwd: folder });
	}
	return folder;
};
