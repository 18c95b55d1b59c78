import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Runs beside this version if there is no tag. It is from before mails and sweeps moved to jobs in PostgreSQL, so the
 * migration from it creates the job queue and indexes.
 */
const EARLIER = "3a39947835cd397ce4dcc2a1db028e7db18be69e";

/** Exports a commit into a temporary folder, installs what its lockfile names, and builds its service. */
export const buildEarlier = async (given?: string) => {
	const ref = given ?? ((await newestTag()) || EARLIER);
	const described = await execute("git", ["log", "-1", "--format=%H %cs", ref, "--"], { cwd: ROOT }).catch(() => null);
	if (!described)
		throw new Error(
			`git does not know ${ref}. Fetch the whole history with \`git fetch --unshallow --tags\`, or set --ref.`,
		);
	const [commit = "", date = ""] = described.stdout.trim().split(" ");
	const folder = await mkdtemp(join(tmpdir(), "earlier-"));
	const remove = () => rm(folder, { recursive: true, force: true });
	try {
		const archive = join(folder, "sources.tar");
		await execute("git", ["archive", `--output=${archive}`, commit], { cwd: ROOT });
		await execute("tar", ["--extract", `--file=${archive}`], { cwd: folder });
		await rm(archive);
		const pnpm = (...args: string[]) => execute("pnpm", args, { cwd: folder, maxBuffer: 64 * 2 ** 20 });
		await pnpm("install", "--frozen-lockfile", "--prefer-offline");
		await pnpm("--filter", "server", "build");
		return { commit: commit.slice(0, 8), date, main: join(folder, "apps/server/dist/main.js"), remove };
	} catch (error) {
		await remove();
		throw error;
	}
};

const newestTag = async (): Promise<string> => {
	const { stdout } = await execute("git", ["tag", "--merged", "HEAD", "--sort=-creatordate"], { cwd: ROOT });
	return stdout.split("\n")[0] ?? "";
};
