import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseDocument } from "yaml";
import { ROOT } from "./catalog.ts";

/** Copies the files of the workspace that git knows or would add, into a new folder. */
export const copyWorkspace = (name: string): string => {
	const copy = mkdtempSync(join(tmpdir(), `${name}-`));
	const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
		cwd: ROOT,
		encoding: "utf8",
		maxBuffer: 2 ** 26,
	});
	for (const file of listed.stdout.split("\0")) {
		// a deleted file is still listed until it is committed
		if (file === "" || !existsSync(join(ROOT, file))) continue;
		mkdirSync(dirname(join(copy, file)), { recursive: true });
		copyFileSync(join(ROOT, file), join(copy, file));
	}
	return copy;
};

/** Names other versions in the catalog and the overrides of a copy. */
export const useVersions = (copy: string, overrides: Record<string, string>): void => {
	const file = join(copy, "pnpm-workspace.yaml");
	const workspace = parseDocument(readFileSync(file, "utf8"));
	for (const [name, chosen] of Object.entries(overrides)) {
		if (workspace.hasIn(["catalog", name])) workspace.setIn(["catalog", name], chosen);
	}
	workspace.set("overrides", overrides);
	writeFileSync(file, String(workspace));
};
