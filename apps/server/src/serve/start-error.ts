/** Why the server cannot start, and how to fix it. */
export class StartError extends Error {
	override name = "StartError";
}

/** Runs one step of the startup. An error says which step failed and what to check. */
export const starting = async <Result>(part: string, fix: string, step: () => Promise<Result>): Promise<Result> => {
	try {
		return await step();
	} catch (error) {
		throw new StartError(`${part} (${reasonOf(error)}). ${fix}`, { cause: error });
	}
};

/** The code and message of an error. Drivers wrap several attempts in an AggregateError without a message. */
const reasonOf = (error: unknown): string => {
	if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
	if (!(error instanceof Error)) return "unknown";
	const code = "code" in error && typeof error.code === "string" ? error.code : "";
	return [code, error.message].filter((part) => part !== "").join(": ");
};
