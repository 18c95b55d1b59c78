import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { CommandError } from "./command-error.ts";
import { write } from "./output.ts";

export type OutputFile = {
	write(text: string): Promise<void>;
	/** Gives the file its name: it is there as a whole or not at all. */
	complete(): Promise<void>;
	/** Takes away what was begun. Does nothing after `complete`. */
	abandon(): Promise<void>;
};

/** The file that a command writes, under another name until it is complete; "-" and none are stdout. */
export const openOutputFile = async (
	path: string | undefined,
	{ secret }: { /** it holds what only its owner may read */ secret: boolean },
): Promise<OutputFile> => {
	if (path === undefined || path === "-") {
		const nothing = async () => {};
		return { write: (text) => write(process.stdout, text), complete: nothing, abandon: nothing };
	}
	const begun = `${path}.${randomBytes(4).toString("hex")}.part`;
	const file = await openNew(begun, path, secret ? 0o600 : 0o666);
	// whoever interrupts a long export leaves no half of it behind
	const forgetSignals = onSignals(() => rmSync(begun, { force: true }));
	let isOpen = true;
	let written = Promise.resolve();
	const close = async (): Promise<void> => {
		isOpen = false;
		forgetSignals();
		await file.close();
	};
	return {
		// one after the other, whoever writes: no line lands inside of another
		write: (text) => {
			written = written.then(() => file.appendFile(text));
			return written;
		},
		complete: async () => {
			await file.sync();
			await close();
			await rename(begun, path);
		},
		abandon: async () => {
			if (!isOpen) return;
			await close();
			await rm(begun, { force: true });
		},
	};
};

const openNew = async (begun: string, path: string, mode: number): Promise<FileHandle> => {
	try {
		return await open(begun, "wx", mode);
	} catch (cause) {
		throw new CommandError("FILE_UNWRITABLE", `${path} cannot be written`, {
			mend: "Check the folder and who may write there.",
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
