const FORMS = ["application/x-www-form-urlencoded", "multipart/form-data"];

/**
 * Refuses a content type that only contains a form's: the engine takes it for one, no parser of forms does, and the
 * engine would answer 500. Everything else is left to the engine.
 */
export const guardContentType = (request: Request): { response: Response } | undefined => {
	const type = request.headers.get("content-type")?.toLowerCase();
	if (!type || type === "application/json") return undefined;
	const essence = type.split(";")[0]?.trim() ?? "";
	if (!FORMS.some((form) => type.includes(form)) || (FORMS.includes(essence) && !isList(type))) return undefined;
	// the code the engine itself answers with for types it does not take
	const body = { code: "UNSUPPORTED_MEDIA_TYPE", message: "This content type is not allowed" };
	return { response: Response.json(body, { status: 415 }) };
};

/** Two types in one header: one reader takes the first, another the last. */
const isList = (type: string): boolean => type.replace(/"[^"]*"/g, "").includes(",");
