/** The body of a response: parsed JSON, or text. */
export const parseBody = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
};

/** The error code of a response, if any. */
export const codeOf = (json: unknown): string | null =>
	typeof json === "object" && json !== null && "code" in json ? String(json.code) : null;
