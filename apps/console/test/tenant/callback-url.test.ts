import { expect, it } from "vitest";
import { callbackURLOf } from "../../src/tenant/providers/callback-url.ts";
import { findProvider, type OauthProvider } from "../../src/tenant/providers/known-providers.ts";

const URLS = { shared: "https://acme.example/api/auth/tenant/callback/{providerId}", own: null };

const provider = (id: string): OauthProvider => {
	const found = findProvider(id);
	if (!found) throw new Error(`${id} is unknown`);
	return found;
};

it("shows the callback URL before the credentials are stored", () => {
	expect(callbackURLOf(URLS, provider("github"), {})).toBe("https://acme.example/api/auth/tenant/callback/github");
	expect(callbackURLOf(URLS, provider("gitlab"), { issuer: "https://gitlab.com" })).toContain("/callback/gitlab");
});

it("shows no callback URL that may change when the credentials are stored", () => {
	expect(callbackURLOf(URLS, provider("gitlab"), { issuer: "https://git.acme.example" })).toBeNull();
	expect(callbackURLOf(URLS, provider("cognito"), {})).toBeNull();
});
