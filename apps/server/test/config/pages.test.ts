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

it("leads invitations to its own page on the tenant's host or path, unless a page is set", () => {
	const plugins = {
		PLUGINS: "admin,tenant-admin,tenant-invitations",
		PAGES: "true",
		SMTP_URL: "smtp://127.0.0.1:1",
		MAIL_FROM: "Test <test@example.com>",
	};
	const acceptURL = (more: Record<string, string>) => read({ ...plugins, ...more }).tenantInvitations?.acceptURL;
	expect(acceptURL(HOSTS)).toBe("https://:tenant.app.example.com/accept-invitation");
	expect(
		acceptURL({ AUTH_URL: "http://localhost:3000", TENANT_RESOLVER: "subdomain", TENANT_DOMAIN: "localhost" }),
	).toBe("http://:tenant.localhost:3000/accept-invitation");
	expect(acceptURL({ TENANT_RESOLVER: "path", TENANT_PATH: "/of/:tenant" })).toBe(
		"https://auth.example.com/of/:tenant/accept-invitation",
	);
	const own = { TENANT_INVITATION_URL: "https://shop.example.com/join" };
	expect(acceptURL({ ...HOSTS, ...own })).toBe("https://shop.example.com/join");
	// a slug leads neither to a custom domain nor to pages that are off
	for (const elsewhere of [{ TENANT_RESOLVER: "custom-domain" }, { ...HOSTS, PAGES: "false" }])
		expect(mistakesWith({ ...plugins, ...elsewhere })).toEqual([
			expect.stringContaining("TENANT_INVITATION_URL is not set"),
		]);
	expect(mistakesWith({ TENANT_INVITATION_URL: "join" })).toEqual([
		expect.stringContaining("TENANT_INVITATION_URL is not a URL"),
	]);
});
