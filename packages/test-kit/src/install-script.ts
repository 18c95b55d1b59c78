import assert from "node:assert/strict";
import { overridesFor } from "./workspace-versions.ts";

const PACKAGE = /\bbetter-auth-tenants\b(?![-\w])/;

/**
 * The commands of a page that install packages, with the tarball in place of the published package. A registry with gaps needs
 * overrides, which readers do not.
 */
export const installScript = async (commands: string, tarball: string): Promise<string> => {
	assert.match(commands, PACKAGE, "The page does not install the package.");
	const overrides = await overridesFor(/ better-auth@(\S+)/.exec(commands)?.[1]);
	// npm refuses overrides of what is installed by name
	const others = Object.entries(overrides).filter(([name]) => !commands.includes(` ${name}@`));
	const pin = others.length > 0 ? `npm pkg set --json 'overrides=${JSON.stringify(Object.fromEntries(others))}'\n` : "";
	return commands.replace(PACKAGE, `./${tarball}`).replace("npm init -y\n", (found) => `${found}${pin}`);
};
