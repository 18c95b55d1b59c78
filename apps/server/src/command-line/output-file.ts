import { randomBytes } from "node:crypto";
import { rmSync, type Stats } from "node:fs";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { CommandError } from "./command-error.ts";
import { write } from "./output.ts";

export type OutputFile = {
	write(text: string): Promise<void>;
	/** Renames the file to its final name, so it is never visible half written. */
	complete(): Promise<void>;
	/** Deletes an incomplete file. Does nothing after `complete`. */
	abandon(): Promise<void>;
};

/**
 * Opens the file to write, under a temporary name until it is complete. "-" or undefined means stdout. An existing path
 * that is not a regular file, such as a pipe or /dev/null, is written directly.
 */
export const openOutputFile = async (
	path: string | undefined,
	{ secret }: { /** readable by its owner only */ secret: boolean },
): Promise<OutputFile> => {
	if (path === undefined || path === "-") {
		const nothing = async () => {};
		return { write: (text) => write(process.stdout, text), complete: nothing, abandon: nothing };
	}
	const found = await orUnwritable(path, () => lookAt(path));
	if (found?.isDirectory())
		throw new CommandError("FILE_UNWRITABLE", `${path} is a directory`, { fix: "Name a file in it." });
	if (found && !found.isFile()) return writeInto(path);
	// the target of a symbolic link: renaming onto the link itself would replace it
	const target = found ? await orUnwritable(path, () => realpath(path)) : path;
	return writeBeside(target, path, secret ? 0o600 : 0o666);
};

const writeInto = async (path: string): Promise<OutputFile> => {
	const file = await orUnwritable(path, () => open(path, "w"));
	const close = () => file.close();
	return { write: inTurn(file), complete: close, abandon: close };
};

const writeBeside = async (target: string, path: string, mode: number): Promise<OutputFile> => {
	const begun = `${target}.${randomBytes(4).toString("hex")}.part`;
	// an interrupted export leaves no partial file behind
	const forgetSignals = onSignals(() => rmSync(begun, { force: true }));
	const file = await orUnwritable(path, () => open(begun, "wx", mode)).catch((error: unknown) => {
		forgetSignals();
		throw error;
	});
	let isBegun = true;
	const end = (): void => {
		isBegun = false;
		forgetSignals();
	};
	const abandon = async (): Promise<void> => {
		if (!isBegun) return;
		end();
		await file.close().catch(() => {});
		await rm(begun, { force: true });
	};
	return {
		write: inTurn(file),
		complete: () =>
			orUnwritable(path, async () => {
				try {
					await file.sync();
					await file.close();
					await rename(begun, target);
					end();
				} finally {
					await abandon();
				}
			}),
		abandon,
	};
};

/** Writes in order, so lines never interleave. */
const inTurn = (file: FileHandle): OutputFile["write"] => {
	let written = Promise.resolve();
	return (text) => {
		written = written.then(() => file.appendFile(text));
		return written;
	};
};

/** The stats of a path, or null if it does not exist. */
const lookAt = async (path: string): Promise<Stats | null> => {
	try {
		return await stat(path);
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
		throw error;
	}
};

const orUnwritable = async <Result>(path: string, work: () => Promise<Result>): Promise<Result> => {
	try {
		return await work();
	} catch (cause) {
		throw new CommandError("FILE_UNWRITABLE", `Cannot write ${path}`, {
			fix: "Check the directory and its permissions.",
			cause,
		});
	}
};

const onSignals = (tidy: () => void): (() => void) => {
	const end = (_signal: NodeJS.Signals, number: number): void => {
		tidy();
		process.exit(128 + number);
	};
	process.once("SIGINT", end).once("SIGTERM", end);
	return () => {
		process.off("SIGINT", end).off("SIGTERM", end);
	};
};
