/** Why the service does not start, and what to do about it. */
export class StartError extends Error {
	override name = "StartError";
}

/** Runs one step of the start; where it fails, the error says which one it was and what to look at. */
export const starting = async <Result>(part: string, fix: string, step: () => Promise<Result>): Promise<Result> => {
	try {
		return await step();
	} catch (error) {
		throw new StartError(`${part} (${reasonOf(error)}). ${fix}`, { cause: error });
	}
};

/** The code of a failed connection, or its words. Drivers put several attempts into one error without any. */
const reasonOf = (error: unknown): string => {
	if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
	if (!(error instanceof Error)) return "unknown";
	const code = "code" in error && typeof error.code === "string" ? error.code : "";
	return [code, error.message].filter((part) => part !== "").join(": ");
};
