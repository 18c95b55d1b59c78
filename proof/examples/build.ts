import assert from "node:assert/strict";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { npm } from "./application.ts";
import { OIDC_CLIENT } from "./examples.ts";
import { createApplication, type Packages } from "./packages.ts";
import { timeSteps } from "./steps.ts";

const FOLDER = fileURLToPath(new URL("../../examples/", import.meta.url));

/**
 * Creates and installs an example, and builds it for production with the TypeScript that it pins. Needs no database and no
 * browser.
 */
export const buildExample = async (name: string, packages: Packages, parent: string): Promise<void> => {
	const { step } = timeSteps(name);
	const folder = await step("create", () =>
		name === OIDC_CLIENT.name ? copyExample(name, parent) : createApplication(packages, name, parent),
	);
	await step("install", () => npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund"));
	const { devDependencies } = await readManifest(folder);
	const { version } = await readManifest(join(folder, "node_modules/typescript"));
	assert.equal(version, devDependencies.typescript, `${name} is built with another TypeScript than it pins.`);
	await step(`build with TypeScript ${version}`, () => npm(folder, "run", "build"));
};

type Manifest = { version: string; devDependencies: Record<string, string> };

const readManifest = async (folder: string): Promise<Manifest> =>
	JSON.parse(await readFile(join(folder, "package.json"), "utf8"));

/** The example that is no template. */
const copyExample = async (name: string, parent: string): Promise<string> => {
	const folder = join(parent, "app");
	await cp(join(FOLDER, name), folder, { recursive: true, filter: (path) => !path.endsWith("/node_modules") });
	return folder;
};
