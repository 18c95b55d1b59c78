import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { copyWorkspace } from "../../scripts/engines/workspace-copy.ts";

const VERSION = "10.1.1";
const PACKAGES = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@${VERSION}`);

/** A copy of the working tree in which Stryker is installed and may overwrite the sources. Removed with the process. */
export const makeCheckout = (): string => {
	const checkout = copyWorkspace("mutation");
	process.on("exit", () => rmSync(checkout, { recursive: true, force: true }));
	const pnpm = (...given: string[]): void => {
		const { status } = spawnSync("pnpm", [...given, "--prefer-offline"], { cwd: checkout, stdio: "ignore" });
		if (status !== 0) throw new Error(`pnpm ${given.join(" ")} failed in ${checkout}`);
	};
	pnpm("install", "--frozen-lockfile");
	pnpm("add", "--workspace-root", "--save-dev", "--save-exact", ...PACKAGES);
	return checkout;
};
