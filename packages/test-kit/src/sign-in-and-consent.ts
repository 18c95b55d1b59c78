import type { Person } from "./oidc-look-alike.ts";

/**
 * Opens an authorization URL of the identity provider at `origin` in a new browser, signs `person` in and consents.
 * Returns the callback URL. Works in any process, and loads nothing of the provider.
 */
export const signInAndConsent = async (origin: string, authorizationURL: string, person: Person): Promise<string> => {
	const cookies = new Map<string, { path: string; pair: string }>();
	const visit = async (url: URL, body?: Person) => {
		const sent = [...cookies.values()].filter(({ path }) => url.pathname.startsWith(path)).map(({ pair }) => pair);
		const response = await fetch(url, {
			method: body ? "POST" : "GET",
			body: body && JSON.stringify(body),
			headers: { cookie: sent.join("; ") },
			redirect: "manual",
		});
		for (const header of response.headers.getSetCookie()) {
			const [pair = "", ...attributes] = header.split("; ");
			const path = attributes.find((attribute) => attribute.startsWith("path="))?.slice("path=".length) ?? "/";
			const name = `${pair.slice(0, pair.indexOf("="))} ${path}`;
			// the provider deletes a cookie by emptying it
			if (pair.endsWith("=")) cookies.delete(name);
			else cookies.set(name, { path, pair });
		}
		return response;
	};

	let url = new URL(authorizationURL);
	// sign-in and consent take four steps; without a limit, a provider that keeps asking would hang the test
	for (let step = 0; step < 12; step++) {
		if (url.origin !== origin) return url.href;
		let response = await visit(url);
		if (response.ok) response = await visit(url, person);
		const location = response.headers.get("location");
		if (!location) throw new Error(`The identity provider returned ${response.status}: ${await response.text()}`);
		url = new URL(location, url);
	}
	throw new Error("The identity provider keeps asking");
};
