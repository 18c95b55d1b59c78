/**
 * Whether a value is a path of the console, such as `/tenants?status=active`. Only such a path is followed after a sign-in. It
 * is put below the console's own path, so what is not one of its routes leads to its own "not found".
 */
export const isConsolePath = (value: unknown): value is string => {
	if (typeof value !== "string" || value.length > 2048) return false;
	// a second slash, a backslash or a control character could make it a URL of another host
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
	return /^\/(?![/\\])/.test(value) && !/[\u0000-\u0020\u007f-\u009f\\]|\/\//.test(value);
};
