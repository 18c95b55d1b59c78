/** Whether a path matches a pattern of the engine. `*` matches any text. */
export const matchesPath = (pattern: string, path: string): boolean => {
	const [first = "", ...rest] = pattern.split("*");
	const last = rest.pop();
	if (last === undefined) return pattern === path;
	if (!path.startsWith(first)) return false;
	let at = first.length;
	for (const part of rest) {
		// the earliest match leaves the most text for the following parts
		const found = path.indexOf(part, at);
		if (found < 0) return false;
		at = found + part.length;
	}
	return path.length - last.length >= at && path.endsWith(last);
};
