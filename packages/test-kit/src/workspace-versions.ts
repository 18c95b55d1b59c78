import { readFile } from "node:fs/promises";
import { parse } from "yaml";

type Versions = Record<string, string>;

/** The exact versions of pnpm-workspace.yaml. */
export const workspaceVersions = async (): Promise<{ catalog: Versions; overrides: Versions }> => {
	const text = await readFile(new URL("../../../pnpm-workspace.yaml", import.meta.url), "utf8");
	const { catalog, overrides }: { catalog: Versions; overrides: Versions } = parse(text);
	return { catalog, overrides };
};

/**
 * The overrides with which a version of Better Auth installs from a registry with gaps. None for another version than that of
 * this repository, because the overrides pin this one.
 */
export const overridesFor = async (betterAuth: string | undefined): Promise<Versions> => {
	const { catalog, overrides } = await workspaceVersions();
	return betterAuth === catalog["better-auth"] ? overrides : {};
};
