export type Step = { command: string; expected: string };

/**
 * The commands and answers of the blocks that are marked as the first run. A command begins with `$ ` and goes on where its
 * line ends in a backslash; what follows up to the next one is its answer.
 */
export const readTranscript = (readme: string): Step[] => {
	const blocks = [...readme.matchAll(/<!-- first-run -->\n```console\n([\s\S]*?)\n```/g)].map(
		([, block = ""]) => block,
	);
	if (blocks.length === 0) throw new Error("The README has no first run: a console block below <!-- first-run -->");
	const steps: Step[] = [];
	let goesOn = false;
	for (const line of blocks.join("\n").split("\n")) {
		const last = steps.at(-1);
		if (line.startsWith("$ ")) steps.push({ command: line.slice(2), expected: "" });
		else if (last && goesOn) last.command += `\n${line}`;
		else if (last) last.expected += last.expected === "" ? line : `\n${line}`;
		else throw new Error(`The first run begins with an answer: ${line}`);
		goesOn = line.endsWith("\\");
	}
	return steps;
};

/** Whether an answer is the expected one; an ellipsis stands for what differs each time, within its line. */
export const matches = (expected: string, seen: string): boolean => {
	const pattern = expected
		.trimEnd()
		.split("…")
		.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
		.join("[^\\n]+?");
	return new RegExp(`^${pattern}$`).test(seen.trim());
};
