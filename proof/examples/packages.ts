import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { packPackage } from "test-kit/packed-packages";
import { overridesFor } from "test-kit/workspace-versions";

const run = promisify(execFile);
const CREATE = fileURLToPath(new URL("../../packages/create", import.meta.url));

export type Packages = { tenants: string; react: string; create: string };

/** Packs the published packages into a folder, as they would be published. Needs a build. */
export const packPackages = async (folder: string): Promise<Packages> => {
	// the templates are copied again, so that the proof never sees old ones
	await run("pnpm", ["build"], { cwd: CREATE });
	const pack = async (name: keyof Packages) => join(folder, await packPackage(name, folder));
	return { tenants: await pack("tenants"), react: await pack("react"), create: await pack("create") };
};

/** Creates an application with the packed `create-better-auth-tenants`, and gives it the packed packages that it uses. */
export const createApplication = async (packages: Packages, template: string, parent: string): Promise<string> => {
	const unpacked = join(parent, "create");
	await run("mkdir", ["-p", unpacked]);
	await run("tar", ["xzf", packages.create, "--directory", unpacked]);
	await run("node", [join(unpacked, "package/dist/main.js"), "app", "--template", template], { cwd: parent });
	const folder = join(parent, "app");
	await usePacked(packages, folder);
	return folder;
};

/** The only difference to what a user does: the packages are not published, and a registry with gaps needs overrides. */
const usePacked = async (packages: Packages, folder: string): Promise<void> => {
	const file = join(folder, "package.json");
	const manifest: Manifest = JSON.parse(await readFile(file, "utf8"));
	const { dependencies } = manifest;
	for (const name of ["tenants", "react"] as const) {
		const dependency = name === "tenants" ? "better-auth-tenants" : `better-auth-tenants-${name}`;
		if (!(dependency in dependencies)) continue;
		await cp(packages[name], join(folder, `${name}.tgz`));
		dependencies[dependency] = `file:${name}.tgz`;
	}
	const overrides = { ...(await overridesFor(dependencies["better-auth"])), ...manifest.overrides };
	await writeFile(file, JSON.stringify({ ...manifest, overrides }, null, "\t"));
};

type Manifest = { dependencies: Record<string, string>; overrides?: Record<string, unknown> };
