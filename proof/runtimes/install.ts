import { execFile } from "node:child_process";
import { access, cp, mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import type { Runtime } from "./runtimes.ts";

const run = promisify(execFile);
const ROOT = new URL("../../", import.meta.url).pathname;
const MINUTES = 5 * 60_000;
const ESBUILD = "0.28.2";

/** Programs are large, so they are installed once and kept outside of the repository. */
const CACHE = process.env.RUNTIMES_CACHE ?? join(homedir(), ".cache/better-auth-tenants-runtimes");

const install = (folder: string, ...packages: string[]) =>
	run("npm", ["install", "--no-audit", "--no-fund", "--save-exact", "--prefix", folder, ...packages], {
		timeout: MINUTES,
		cwd: folder,
	});

/** The path of a runtime's program. Installs it if it is not there. */
export const programOf = async ({ package: name, version, program }: Runtime): Promise<string> => {
	const folder = join(CACHE, `${name.replace("/", "+")}-${version}`);
	const path = join(folder, "node_modules", name, program);
	const isThere = await access(path).then(
		() => true,
		() => false,
	);
	if (!isThere) {
		await mkdir(folder, { recursive: true });
		await install(folder, `${name}@${version}`);
	}
	return path;
};

/** A folder outside of the workspace with the application and the packed tarball, as users install it. */
export const createApplication = async (): Promise<string> => {
	const folder = await mkdtemp(join(tmpdir(), "runtimes-"));
	await run("pnpm", ["pack", "--pack-destination", folder], { cwd: join(ROOT, "packages/tenants"), timeout: MINUTES });
	const [tarball = ""] = (await readdir(folder)).filter((file) => file.endsWith(".tgz"));
	await writeFile(join(folder, "package.json"), JSON.stringify({ name: "application", private: true, type: "module" }));
	const exact = await installedVersions(["better-auth", "pg"]);
	const core = exact["better-auth"];
	await install(
		folder,
		join(folder, tarball),
		`better-auth@${core}`,
		`@better-auth/core@${core}`,
		`pg@${exact.pg}`,
		`esbuild@${ESBUILD}`,
	);
	await cp(new URL("application", import.meta.url), folder, { recursive: true });
	return folder;
};

/** The versions of the workspace, so that runtimes are checked with what tests use. */
const installedVersions = async (names: string[]): Promise<Record<string, string>> => {
	const entries = names.map(async (name) => {
		const file = new URL(`node_modules/${name}/package.json`, import.meta.url);
		return [name, z.object({ version: z.string() }).parse(JSON.parse(await readFile(file, "utf8"))).version] as const;
	});
	return Object.fromEntries(await Promise.all(entries));
};

/** One file with everything, as wrangler would upload it. */
export const bundleWorker = async (folder: string): Promise<string> => {
	const file = join(folder, "worker.js");
	const options = ["--bundle", "--format=esm", "--target=es2022", "--conditions=workerd,worker,browser,import"];
	const external = ["--external:node:*", "--external:cloudflare:*", "--main-fields=module,main", "--log-level=error"];
	await run(join(folder, "node_modules/.bin/esbuild"), ["worker.ts", ...options, ...external, `--outfile=${file}`], {
		cwd: folder,
		timeout: MINUTES,
	});
	return file;
};
