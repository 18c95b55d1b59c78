import { mkdir, readFile, writeFile } from "node:fs/promises";
import { arch, cpus, release, totalmem } from "node:os";

/** The machine of a result: values of two machines are not one series. */
type Machine = { node: string; system: string; cores: number; memoryGB: number };
export type Recorded<Result> = Result & { at: string; machine: Machine };

/** The recorded results in a folder. Documents are generated from these files, never by hand. */
export const resultsIn = (folder: URL) => ({
	/** Records the result of a run. */
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
	/** The result of an earlier run, or null. */
	read: async <Result extends object>(name: string): Promise<Recorded<Result> | null> => {
		try {
			return JSON.parse(await readFile(new URL(`${name}.json`, folder), "utf8")) as Recorded<Result>;
		} catch (error) {
			if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
			throw error;
		}
	},
});
