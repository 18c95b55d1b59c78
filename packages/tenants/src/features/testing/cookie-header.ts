/** The `cookie` header of a browser that sent `header` and received these `set-cookie` lines. */
export const cookieHeader = (header: string, lines: string[]): string => {
	const cookies = new Map<string, string>();
	const set = (pair: string): void => {
		const at = pair.indexOf("=");
		if (at > 0) cookies.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
	};
	for (const pair of header.split(";")) set(pair);
	for (const line of lines) {
		const [pair = ""] = line.split(";");
		set(pair);
		if (/;\s*max-age=0(;|$)/i.test(line)) cookies.delete(pair.slice(0, pair.indexOf("=")).trim());
	}
	return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
};
