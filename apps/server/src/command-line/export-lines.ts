import { plainJson } from "../lib/plain-text.ts";
import { CommandError } from "./command-error.ts";
import type { Output } from "./output.ts";
import { openOutputFile } from "./output-file.ts";
import { startProgress } from "./progress.ts";

type Export = {
	title: string;
	/** what a line contains, in the plural */
	noun: string;
	file: string | undefined;
	/** the file must be readable by its owner only */
	secret: boolean;
	output: Output;
	/** passes all records to `take` */
	write: (take: (records: readonly unknown[]) => Promise<void>) => Promise<void>;
};

/** Writes records as NDJSON to stdout, or to a file that appears once it is complete. */
export const exportLines = async ({ title, noun, file: path, secret, output, write }: Export): Promise<void> => {
	const toStdout = path === undefined || path === "-";
	if (secret && toStdout && process.stdout.isTTY)
		throw new CommandError("FILE_MISSING", "Password hashes are not shown on a terminal", {
			fix: "Name a file, or pipe the output.",
		});
	const file = await openOutputFile(path, { secret });
	const progress = startProgress({ title, total: null });
	let lines = 0;
	try {
		await write(async (records) => {
			if (records.length === 0) return;
			await file.write(`${records.map(plainJson).join("\n")}\n`);
			lines += records.length;
			progress.update(lines, `${lines.toLocaleString("en")} ${noun}`);
		});
		await file.complete();
	} finally {
		progress.stop();
		await file.abandon();
	}
	const says = `${lines.toLocaleString("en")} ${noun} exported`;
	// stdout contains only the records
	if (toStdout) output.note(says);
	else await output.result({ lines, file: path }, `${says} to ${path}`);
};
