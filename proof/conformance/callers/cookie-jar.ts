/** Keeps the cookies of responses, as a browser does. */
export const keepCookies = (cookies: Map<string, string>, setCookies: string[]): void => {
	for (const setCookie of setCookies) {
		const [pair = "", ...attributes] = setCookie.split(";");
		const at = pair.indexOf("=");
		const name = pair.slice(0, at).trim();
		if (attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))) cookies.delete(name);
		else cookies.set(name, pair.slice(at + 1));
	}
};

/** The `cookie` header, or nothing. */
export const cookieHeader = (cookies: Map<string, string>): Record<string, string> =>
	cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") } : {};
