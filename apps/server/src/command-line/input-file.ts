import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { CommandError } from "./command-error.ts";

type InputFile = {
	source: AsyncIterable<Buffer>;
	/** null where nobody knows how much comes */
	bytes: number | null;
};

/** The file that a command reads; "-" and none are stdin. */
export const openInputFile = async (path: string | undefined): Promise<InputFile> => {
	if (path === undefined || path === "-") {
		if (process.stdin.isTTY)
			throw new CommandError("FILE_MISSING", "There is nothing to read", { mend: "Name a file, or pipe one in." });
		return { source: process.stdin, bytes: null };
	}
	try {
		const found = await stat(path);
		if (found.isDirectory()) throw new Error("a folder");
		// opened here, so that a file that may not be read is told before anything is sent
		const source = createReadStream(path, { highWaterMark: 64 * 1024 });
		await new Promise((resolve, reject) => source.once("open", resolve).once("error", reject));
		return { source, bytes: found.isFile() ? found.size : null };
	} catch (cause) {
		throw new CommandError("FILE_UNREADABLE", `${path} cannot be read`, {
			mend: "Check the path and who may read it.",
			cause,
		});
	}
};
