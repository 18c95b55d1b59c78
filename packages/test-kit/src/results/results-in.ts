import { mkdir, readFile, writeFile } from "node:fs/promises";
import { arch, cpus, release, totalmem } from "node:os";

/** Where a result was measured: figures of two machines are not one series. */
type Machine = { node: string; system: string; cores: number; memoryGB: number };
export type Recorded<Result> = Result & { at: string; machine: Machine };

/** The results that are kept in a folder. Documents are written from these files, never by hand. */
export const resultsIn = (folder: URL) => ({
	/** Keeps what a run saw. */
	write: async <Result extends object>(name: string, result: Result): Promise<void> => {
		const machine: Machine = {
			node: process.version,
			system: `Linux ${release()} ${arch()}`,
			cores: cpus().length,
			memoryGB: Math.round(totalmem() / 2 ** 30),
		};
		await mkdir(folder, { recursive: true });
		const recorded: Recorded<Result> = { at: new Date().toISOString(), machine, ...result };
		await writeFile(new URL(`${name}.json`, folder), `${JSON.stringify(recorded, null, "\t")}\n`);
	},
	/** A result that an earlier run kept; null where there was none. */
	read: async <Result extends object>(name: string): Promise<Recorded<Result> | null> => {
		try {
			return JSON.parse(await readFile(new URL(`${name}.json`, folder), "utf8")) as Recorded<Result>;
		} catch (error) {
			if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
			throw error;
		}
	},
});
