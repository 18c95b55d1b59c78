import { expect, it } from "vitest";
import { PLUGIN_VARIABLES } from "../support/every-plugin.ts";
import { mistakesWith, read } from "./environment.ts";

const HOSTS = { TENANT_RESOLVER: "subdomain", TENANT_DOMAIN: "app.example.com" };

it("has no pages by default, and requires a way to find a page's tenant", () => {
	expect(read().pages.enabled).toBe(false);
	expect(read({ PAGES: "true", ...HOSTS }).pages.enabled).toBe(true);
	expect(read({ PAGES: "true", TENANT_RESOLVER: "path" }).pages.enabled).toBe(true);
	expect(mistakesWith({ PAGES: "true" })).toEqual([
		"PAGES is true, but TENANT_RESOLVER is not set, so no page would belong to a tenant. Set TENANT_RESOLVER to subdomain, custom-domain or path",
	]);
});

it("uses the pages for the OAuth provider where a path leads to the tenant's host", () => {
	const plugins = { PLUGINS: "jwt,oauth-provider", PAGES: "true" };
	expect(read({ ...plugins, ...HOSTS }).oauthProvider).toEqual({ loginPage: "/sign-in", consentPage: "/consent" });
	const own = { OAUTH_PROVIDER_LOGIN_PAGE: PLUGIN_VARIABLES.OAUTH_PROVIDER_LOGIN_PAGE };
	expect(read({ ...plugins, ...HOSTS, ...own }).oauthProvider?.loginPage).toBe("/login");
	for (const elsewhere of [
		{ ...plugins, TENANT_RESOLVER: "path" },
		{ ...plugins, ...HOSTS, PAGES: "false" },
	])
		expect(mistakesWith(elsewhere)).toEqual([
			expect.stringContaining("OAUTH_PROVIDER_LOGIN_PAGE is not set"),
			expect.stringContaining("OAUTH_PROVIDER_CONSENT_PAGE is not set"),
		]);
});
