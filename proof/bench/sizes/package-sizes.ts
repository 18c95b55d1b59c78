import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

const execute = promisify(execFile);
const ROOT = new URL("../../../packages/tenants/", import.meta.url);

export type PackageSizes = {
	/** as size-limit counts it, with imports, gzipped */
	client: { gzipBytes: number; limitBytes: number };
	/** the server entry with the files of this package that it imports */
	server: { files: number; bytes: number; gzipBytes: number };
	tarball: { bytes: number; unpackedBytes: number; files: number };
	/** besides Better Auth; one that Better Auth also depends on is installed anyway */
	dependencies: { name: string; bytes: number; engineHasIt: boolean }[];
};

/** The download and install sizes of the built package. */
export const measurePackage = async (): Promise<PackageSizes> => ({
	client: await measureClient(),
	server: await measureEntry("index.js"),
	tarball: await measureTarball(),
	dependencies: await measureDependencies(),
});

const measureClient = async (): Promise<PackageSizes["client"]> => {
	const program = fileURLToPath(new URL("node_modules/size-limit/bin.js", ROOT));
	const { stdout } = await execute(process.execPath, [program, "--json"], { cwd: ROOT }).catch(
		// it fails if the limit is exceeded, but still prints the figures
		(failure: { stdout?: string }) => ({ stdout: failure.stdout ?? "" }),
	);
	const [client] = JSON.parse(stdout) as { size: number; sizeLimit: number }[];
	if (!client) throw new Error("size-limit measured nothing");
	return { gzipBytes: client.size, limitBytes: client.sizeLimit };
};

const measureEntry = async (entry: string): Promise<PackageSizes["server"]> => {
	const files = new Map<string, string>();
	const follow = async (name: string): Promise<void> => {
		if (files.has(name)) return;
		const text = await readFile(new URL(`dist/${name}`, ROOT), "utf8");
		files.set(name, text);
		for (const [, imported] of text.matchAll(/(?:from|import) "\.\/([^"]+)"/g)) if (imported) await follow(imported);
	};
	await follow(entry);
	const text = [...files.values()].join("\n");
	return { files: files.size, bytes: Buffer.byteLength(text), gzipBytes: gzipSync(text).length };
};

const measureTarball = async (): Promise<PackageSizes["tarball"]> => {
	const { stdout } = await execute("npm", ["pack", "--dry-run", "--json"], { cwd: ROOT });
	const [packed] = JSON.parse(stdout) as { size: number; unpackedSize: number; entryCount: number }[];
	if (!packed) throw new Error("npm packed nothing");
	return { bytes: packed.size, unpackedBytes: packed.unpackedSize, files: packed.entryCount };
};

type Manifest = { dependencies?: Record<string, string> };

const readManifest = async (path: string): Promise<Manifest> =>
	JSON.parse(await readFile(new URL(path, ROOT), "utf8")) as Manifest;

const measureDependencies = async (): Promise<PackageSizes["dependencies"]> => {
	const engine = await readManifest("node_modules/better-auth/package.json");
	const { dependencies = {} } = await readManifest("package.json");
	return Promise.all(
		Object.keys(dependencies).map(async (name) => ({
			name,
			bytes: await folderBytes(new URL(`node_modules/${name}/`, ROOT)),
			engineHasIt: name in (engine.dependencies ?? {}),
		})),
	);
};

const folderBytes = async (folder: URL): Promise<number> => {
	const entries = await readdir(folder, { withFileTypes: true, recursive: true });
	const sizes = await Promise.all(
		entries
			.filter((entry) => entry.isFile())
			.map(async (entry) => (await stat(`${entry.parentPath}/${entry.name}`)).size),
	);
	return sizes.reduce((sum, size) => sum + size, 0);
};
