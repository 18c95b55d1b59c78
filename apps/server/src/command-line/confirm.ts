import { ask } from "./ask.ts";
import { CommandError } from "./command-error.ts";

/** Asks whether to go on. Throws unless the answer is yes. */
export const confirm = async (question: string): Promise<void> => {
	const typed = await ask(`${question}\nType yes to continue: `);
	if (typed?.trim() !== "yes")
		throw new CommandError("NOT_CONFIRMED", "Nothing was changed", { fix: "Type yes, or add --yes in scripts." });
};
