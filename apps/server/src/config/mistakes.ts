/** What is wrong with the configuration, all of it at once: nobody likes to be told one mistake a start. */
export class ConfigurationError extends Error {
	override name = "ConfigurationError";

	readonly mistakes: readonly string[];

	constructor(mistakes: readonly string[]) {
		super(
			`The configuration has ${mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`}:\n${mistakes.map((mistake) => `  - ${mistake}`).join("\n")}`,
		);
		this.mistakes = mistakes;
	}
}
