/** Lists all configuration mistakes at once. */
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
