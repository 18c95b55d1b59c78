export type Step = { command: string; expected: string };

/**
 * Reads the commands and outputs of the blocks marked as first run. A command starts with `$ ` and continues while its
 * line ends in a backslash. Everything up to the next command is its output.
 */
export const readTranscript = (readme: string): Step[] => {
	const blocks = [...readme.matchAll(/<!-- first-run -->\n```console\n([\s\S]*?)\n```/g)].map(
		([, block = ""]) => block,
	);
	if (blocks.length === 0) throw new Error("The README has no console block below <!-- first-run -->");
	const steps: Step[] = [];
	let goesOn = false;
	for (const line of blocks.join("\n").split("\n")) {
		const last = steps.at(-1);
		if (line.startsWith("$ ")) steps.push({ command: line.slice(2), expected: "" });
		else if (last && goesOn) last.command += `\n${line}`;
		else if (last) last.expected += last.expected === "" ? line : `\n${line}`;
		else throw new Error(`The first run starts with output: ${line}`);
		goesOn = line.endsWith("\\");
	}
	return steps;
};

/** Whether an output matches; an ellipsis stands for anything within its line. */
export const matches = (expected: string, seen: string): boolean => {
	const pattern = expected
		.trimEnd()
		.split("…")
		.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
		.join("[^\\n]+?");
	return new RegExp(`^${pattern}$`).test(seen.trim());
};
