import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Checks the tarball as it would be published: its manifest differs from the one here, whose exports are the sources. */
const folder = mkdtempSync(join(tmpdir(), "package-"));
try {
	execFileSync("pnpm", ["pack", "--pack-destination", folder], { stdio: "ignore" });
	const [tarball = ""] = readdirSync(folder);
	const check = (program: string, ...args: string[]) =>
		execFileSync(join("node_modules/.bin", program), args, { stdio: "inherit" });
	check("publint", "run", join(folder, tarball), "--strict");
	check("attw", join(folder, tarball), "--profile", "esm-only");
	check("size-limit");
} finally {
	rmSync(folder, { recursive: true });
}
