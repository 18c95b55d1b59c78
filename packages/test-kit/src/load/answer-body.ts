/** What a server answered: JSON where it is some, text where not. */
export const parseBody = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
};

/** The error code in an answer, if it has one. */
export const codeOf = (json: unknown): string | null =>
	typeof json === "object" && json !== null && "code" in json ? String(json.code) : null;
