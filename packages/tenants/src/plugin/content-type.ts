const FORMS = ["application/x-www-form-urlencoded", "multipart/form-data"];

/**
 * Rejects a content type that merely contains the name of a form type. The engine treats it as a form, but no form
 * parser does, so the engine would return 500. Other types pass to the engine.
 */
export const guardContentType = (request: Request): { response: Response } | undefined => {
	const type = request.headers.get("content-type")?.toLowerCase();
	if (!type || type === "application/json") return undefined;
	const essence = type.split(";")[0]?.trim() ?? "";
	if (!FORMS.some((form) => type.includes(form)) || (FORMS.includes(essence) && !isList(type))) return undefined;
	// the same code that the engine returns for unsupported types
	const body = { code: "UNSUPPORTED_MEDIA_TYPE", message: "This content type is not allowed" };
	return { response: Response.json(body, { status: 415 }) };
};

/** Two types in one header: parsers differ in which one they use. */
const isList = (type: string): boolean => type.replace(/"[^"]*"/g, "").includes(",");
