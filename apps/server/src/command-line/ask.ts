import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Asks on stderr and returns the typed line, or null if stdin is closed. */
export const ask = async (question: string, { hidden = false } = {}): Promise<string | null> => {
	const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
	// a separate output keeps the terminal from showing what is typed
	const lines = createInterface({
		input: process.stdin,
		output: hidden ? nowhere : process.stderr,
		terminal: process.stdin.isTTY === true,
		prompt: question,
	});
	if (hidden) process.stderr.write(question);
	else lines.prompt();
	try {
		return await new Promise<string | null>((resolve) => {
			lines
				.once("line", resolve)
				.once("close", () => resolve(null))
				.once("SIGINT", () => resolve(null));
		});
	} finally {
		lines.close();
		if (hidden) process.stderr.write("\n");
	}
};
