import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { CommandError } from "./command-error.ts";

type InputFile = {
	source: AsyncIterable<Buffer>;
	/** null if the size is unknown */
	bytes: number | null;
};

/** Opens the file to read. "-" or undefined means stdin. */
export const openInputFile = async (path: string | undefined): Promise<InputFile> => {
	if (path === undefined || path === "-") {
		if (process.stdin.isTTY)
			throw new CommandError("FILE_MISSING", "There is no input", { fix: "Name a file, or pipe one in." });
		return { source: process.stdin, bytes: null };
	}
	try {
		const found = await stat(path);
		if (found.isDirectory()) throw new Error("a folder");
		// opened here, so a file without read permission fails before anything is sent
		const source = createReadStream(path, { highWaterMark: 64 * 1024 });
		await new Promise((resolve, reject) => source.once("open", resolve).once("error", reject));
		return { source, bytes: found.isFile() ? found.size : null };
	} catch (cause) {
		throw new CommandError("FILE_UNREADABLE", `Cannot read ${path}`, {
			fix: "Check the path and its permissions.",
			cause,
		});
	}
};
