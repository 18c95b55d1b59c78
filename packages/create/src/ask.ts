import { createInterface } from "node:readline/promises";
import { problemOfName } from "./project-name.ts";
import { TEMPLATES } from "./templates.ts";

export type Choices = { name: string; template: string };

/** Asks for what the command line does not say, until the answer is valid. */
export const ask = async (given: Partial<Choices>): Promise<Choices> => {
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	// Ctrl+C and the end of the input reject the question that waits
	const abort = new AbortController();
	terminal.once("close", () => abort.abort(new Error("Nothing was created.")));
	const question = (text: string) => terminal.question(text, { signal: abort.signal });
	try {
		const name = given.name ?? (await askName(question));
		return { name, template: given.template ?? (await askTemplate(question)) };
	} catch (error) {
		throw abort.signal.aborted ? abort.signal.reason : error;
	} finally {
		terminal.close();
	}
};

type Question = (text: string) => Promise<string>;

const askName = async (question: Question): Promise<string> => {
	for (;;) {
		const name = (await question("Name of the project (my-app): ")).trim() || "my-app";
		const problem = problemOfName(name);
		if (!problem) return name;
		console.log(problem);
	}
};

const askTemplate = async (question: Question): Promise<string> => {
	for (const [index, { name, title }] of TEMPLATES.entries()) console.log(`  ${index + 1}  ${name}: ${title}`);
	for (;;) {
		const answer = (await question("Template (1): ")).trim() || "1";
		const found = TEMPLATES.find(({ name }, index) => answer === name || answer === String(index + 1));
		if (found) return found.name;
		console.log(`Enter a number from 1 to ${TEMPLATES.length}, or a name.`);
	}
};
