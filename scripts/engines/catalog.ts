import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";

export const ROOT = join(import.meta.dirname, "../..");
const LOCKFILES = join(ROOT, ".ci/engines");

const versions = z.record(z.string(), z.string());
const overridden = z.object({ overrides: versions });
const workspace = z.object({ catalog: versions, overrides: versions });

const readYaml = (file: string): unknown => parse(readFileSync(file, "utf8"));
const readWorkspace = () => workspace.parse(readYaml(join(ROOT, "pnpm-workspace.yaml")));

/** The version of Better Auth that the workspace, its examples and its pages use. */
export const catalogEngine = (): string => {
	const version = readWorkspace().catalog["better-auth"];
	if (!version) throw new Error("pnpm-workspace.yaml names no better-auth in its catalog.");
	return version;
};

/** The versions that this repository installs where a registry lacks what Better Auth pins. Users do without. */
export const catalogOverrides = (): Record<string, string> => readWorkspace().overrides;

/** The other versions that every night runs with. Each has a lockfile. */
export const keptEngines = (): string[] =>
	readdirSync(LOCKFILES)
		.filter((name) => name.endsWith(".yaml"))
		.map((name) => name.slice(0, -".yaml".length));

export const lockfileOf = (version: string): string => join(LOCKFILES, `${version}.yaml`);

/** The versions that a kept lockfile was written with. */
export const keptOverrides = (version: string): Record<string, string> =>
	overridden.parse(readYaml(lockfileOf(version))).overrides;
