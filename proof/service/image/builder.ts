import { execFile } from "node:child_process";
import { appendFile, chmod, cp, mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";

const execute = promisify(execFile);
const ROOT = join(import.meta.dirname, "../../..");
const AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";

/** Some of the programs are for administrators. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };

/** Runs a program. An error has the end of what it said. */
export const run = async (program: string, args: string[]): Promise<string> => {
	try {
		const { stdout } = await execute(program, args, { cwd: ROOT, env, maxBuffer: 64 * 1024 * 1024 });
		return stdout;
	} catch (error) {
		const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
		throw new Error(`${program} ${args[0]} failed:\n${`${stdout}\n${stderr}`.trim().slice(-3_000)}`, { cause: error });
	}
};

/** Fails with what to install. */
const requirePrograms = async (): Promise<void> => {
	if (process.getuid?.() !== 0) throw new Error("Run this as root: it changes its root directory.");
	for (const program of ["buildah", "debootstrap", "unshare", "setpriv"])
		await execute("which", [program], { env }).catch(() => {
			throw new Error(`${program} is missing. Run apt-get install buildah debootstrap util-linux.`);
		});
};

const configuration = z.object({
	OCIv1: z.object({
		config: z.object({
			User: z.string(),
			Env: z.array(z.string()),
			Entrypoint: z.array(z.string()),
			Cmd: z.array(z.string()),
			WorkingDir: z.string(),
		}),
	}),
});

export type Image = z.infer<typeof configuration>["OCIv1"]["config"] & {
	/** where its files are */
	root: string;
	/** Writes it to an archive, with a name. */
	save: (archive: string, name: string) => Promise<unknown>;
};

/** Builds the Dockerfile without a daemon, in a folder of its own. */
export const buildImage = async (folder: string, log: (line: string) => void): Promise<Image> => {
	await requirePrograms();
	const storage = ["--root", join(folder, "storage"), "--runroot", join(folder, "run"), "--storage-driver", "vfs"];
	const buildah = (command: string, ...args: string[]): Promise<string> =>
		run("buildah", [...storage, command, ...args]);
	const base = join(folder, "base");
	await makeBase(base, log);
	const container = (await buildah("from", "scratch")).trim();
	await buildah("add", container, base, "/");
	await rm(base, { recursive: true });
	if (process.env.NODE_EXTRA_CA_CERTS)
		await buildah("config", "--env", `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`, container);
	await buildah("commit", "--rm", container, "localhost/node");
	log("building the Dockerfile");
	const context = ["--ignorefile", "apps/server/Dockerfile.dockerignore", "-f", "apps/server/Dockerfile", "."];
	const given = ["--build-arg", "NODE_IMAGE=localhost/node", "--pull=never", "--isolation", "chroot"];
	await buildah("build", ...given, "-t", "localhost/service", ...context);
	const built = (await buildah("from", "--pull=never", "localhost/service")).trim();
	const root = (await buildah("mount", built)).trim();
	const { OCIv1 } = configuration.parse(JSON.parse(await buildah("inspect", built)));
	return {
		...OCIv1.config,
		root,
		save: (archive, name) => buildah("push", "localhost/service", `docker-archive:${archive}:${name}`),
	};
};

/**
 * Stands in for the public image of Node, which not every machine can download: Debian from its own archive, with this machine's Node,
 * npm and certificate authorities.
 */
const makeBase = async (base: string, log: (line: string) => void): Promise<void> => {
	const [, release = ""] =
		/^ARG NODE_IMAGE=\S+-([a-z]+)-slim$/m.exec(await readFile(join(ROOT, "apps/server/Dockerfile"), "utf8")) ?? [];
	const targets = await run("apt-get", ["indextargets", "--format", "$(REPO_URI) $(CODENAME)", "Created-By: Packages"]);
	const archive = targets
		.split("\n")
		.find((line) => line.endsWith(` ${release}`))
		?.split(" ")[0];
	if (!archive) throw new Error(`apt knows no archive of Debian ${release}. Run apt-get update.`);
	log(`collecting Debian ${release}`);
	await run("debootstrap", ["--variant=minbase", "--include=ca-certificates,libstdc++6", release, base, archive]);
	await rm(join(base, "var/cache/apt"), { recursive: true, force: true });
	await cp(AUTHORITIES, join(base, AUTHORITIES));
	await cp(process.execPath, join(base, "usr/local/bin/node"));
	const npm = dirname(dirname(await realpath((await run("which", ["npm"])).trim())));
	await mkdir(join(base, "usr/local/lib/npm"), { recursive: true });
	await cp(npm, join(base, "usr/local/lib/npm"), { recursive: true });
	await writeFile(join(base, "usr/local/bin/npm"), '#!/bin/sh\nexec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n');
	await chmod(join(base, "usr/local/bin/npm"), 0o755);
	// as in the public image
	await appendFile(join(base, "etc/passwd"), "node:x:1000:1000::/home/node:/bin/sh\n");
	await appendFile(join(base, "etc/group"), "node:x:1000:\n");
};

/** Bytes of a folder, as they are on the disk of a registry: without blocks that are half empty. */
export const bytesOf = async (folder: string): Promise<number> =>
	Number((await run("du", ["--summarize", "--bytes", "--one-file-system", folder])).split("\t")[0]);
