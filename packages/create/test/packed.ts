import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

const PACKAGE = join(import.meta.dirname, "..");

/** Builds and packs the package once for a test file, and unpacks it as npm does. */
export const usePacked = () => {
	let folder: string;
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), "create-"));
		execFileSync("pnpm", ["build"], { cwd: PACKAGE, stdio: "ignore" });
		execFileSync("pnpm", ["pack", "--pack-destination", folder], { cwd: PACKAGE, stdio: "ignore" });
		execFileSync("tar", ["xzf", tarball()], { cwd: folder });
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	const tarball = () => join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
	const main = () => join(folder, "package/dist/main.js");
	return {
		tarball,
		main,
		/** An empty folder, in which a user runs the command. */
		emptyFolder: () => mkdtempSync(join(folder, "user-")),
		create: (cwd: string, ...args: string[]) => {
			const { status, stdout, stderr } = spawnSync("node", [main(), ...args], { cwd, encoding: "utf8", input: "" });
			return { status, stdout, stderr };
		},
	};
};
