import type { Credential } from "./beliefs.ts";
import type { Call } from "./call.ts";

/** How a request presents a session or an API key. The browser is a copy: responses to one request do not change another. */
export const present = ({ kind, browser, secret, person }: Credential): Call => {
	if (browser) return { browser: browser.copy() };
	return kind === "key" ? { tenant: person.tenant.id, key: secret } : { tenant: person.tenant.id, token: secret };
};
