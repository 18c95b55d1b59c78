/** A folder of its own below the current one, and a name that npm accepts. No separators, so it cannot leave the folder. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/** Returns what is wrong with the name of a project, or null. */
export const problemOfName = (name: string): string | null =>
	NAME.test(name)
		? null
		: `"${name}" cannot be the name of a project. Use lower-case letters, digits, "-", "_" and ".", and start with a letter or digit.`;
