import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { publicPackages } from "./packages.ts";

/** What `changeset version` and `pnpm pack` read of a workspace. */
const READ = [".changeset", "package.json", "pnpm-workspace.yaml", "LICENSE", "packages", "apps", "proof"];

/**
 * Copies the workspace into a folder and sets the versions of the next release there, so that a dry run packs what the release
 * would. Uses the builds and the dependencies of the workspace.
 */
export const stageRelease = (root: string, folder: string): void => {
	const run = (program: string, ...args: string[]) =>
		execFileSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
	const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z", ...READ], {
		cwd: root,
		encoding: "utf8",
		maxBuffer: 64 * 2 ** 20,
	});
	for (const file of listed.split("\0").filter((name) => name !== "" && existsSync(join(root, name)))) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		copyFileSync(join(root, file), join(folder, file));
	}
	for (const modules of globSync(["node_modules", "{packages,apps,proof}/*/node_modules"], { cwd: root }))
		if (existsSync(join(folder, dirname(modules)))) symlinkSync(join(root, modules), join(folder, modules));
	for (const { name, folder: at } of publicPackages(root)) {
		if (!existsSync(join(root, at, "dist"))) throw new Error(`${name} is not built. Run \`pnpm build\` first.`);
		cpSync(join(root, at, "dist"), join(folder, at, "dist"), { recursive: true });
	}
	// the changelog names the commit of each note
	run("git", "init", "--quiet");
	run("git", "add", "--", ...READ.filter((name) => existsSync(join(folder, name))));
	const author = ["-c", "user.name=dry-run", "-c", "user.email=dry-run@localhost"];
	run("git", ...author, "commit", "--quiet", "--message", "dry run");
	if (globSync(".changeset/*.md", { cwd: folder }).some((file) => !file.endsWith("/README.md")))
		run("node_modules/.bin/changeset", "version");
};
