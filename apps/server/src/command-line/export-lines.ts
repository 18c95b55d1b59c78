import { CommandError } from "./command-error.ts";
import type { Output } from "./output.ts";
import { openOutputFile } from "./output-file.ts";
import { plainJson } from "./plain-text.ts";
import { startProgress } from "./progress.ts";

type Export = {
	title: string;
	/** what the lines are, in the plural */
	noun: string;
	file: string | undefined;
	/** the lines hold what only its owner may read */
	secret: boolean;
	output: Output;
	/** hands over records until there are no more */
	write: (take: (records: readonly unknown[]) => Promise<void>) => Promise<void>;
};

/** Writes records as NDJSON into a file, which is there when it is complete, or to stdout. */
export const exportLines = async ({ title, noun, file: path, secret, output, write }: Export): Promise<void> => {
	const toStdout = path === undefined || path === "-";
	if (secret && toStdout && process.stdout.isTTY)
		throw new CommandError("FILE_MISSING", "Password hashes are not shown on a terminal", {
			mend: "Name a file, or pipe them on.",
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
	// stdout has the lines, and nothing but them
	if (toStdout) output.note(says);
	else await output.result({ lines, file: path }, `${says} to ${path}`);
};
