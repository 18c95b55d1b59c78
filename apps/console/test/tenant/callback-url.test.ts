import { expect, it } from "vitest";
import { callbackURLsOf } from "../../src/tenant/providers/callback-url.ts";
import { findProvider, type OauthProvider } from "../../src/tenant/providers/known-providers.ts";

const HOSTS = ["https://acme.example", "https://login.acme.example"];
const URLS = { shared: HOSTS.map((host) => `${host}/api/auth/tenant/callback/{providerId}`), own: [] };

const provider = (id: string): OauthProvider => {
	const found = findProvider(id);
	if (!found) throw new Error(`${id} is unknown`);
	return found;
};

it("shows a callback URL for each host before the credentials are stored", () => {
	expect(callbackURLsOf(URLS, provider("github"), {})).toEqual(
		HOSTS.map((host) => `${host}/api/auth/tenant/callback/github`),
	);
	expect(callbackURLsOf(URLS, provider("gitlab"), { issuer: "https://gitlab.com" })[0]).toContain("/callback/gitlab");
});

it("shows no callback URL that may change when the credentials are stored", () => {
	expect(callbackURLsOf(URLS, provider("gitlab"), { issuer: "https://git.acme.example" })).toEqual([]);
	expect(callbackURLsOf(URLS, provider("cognito"), {})).toEqual([]);
});
