import { expect, it } from "vitest";
import { PLUGIN_VARIABLES } from "../support/every-plugin.ts";
import { mistakesWith, read } from "./environment.ts";

it.each([
	["oauth-provider,jwt", ["OAUTH_PROVIDER_LOGIN_PAGE", "OAUTH_PROVIDER_CONSENT_PAGE"]],
	["device-authorization", ["DEVICE_VERIFICATION_URL", "DEVICE_CLIENT_IDS"]],
	["phone-number", ["SMS_WEBHOOK_URL"]],
	["scim", ["SCIM_SECRET"]],
])("names the variables that %s needs", (plugins, needed) => {
	const mistakes = mistakesWith({ PLUGINS: plugins });
	expect(mistakes.map((mistake) => mistake.split(" ", 1)[0])).toEqual(needed);
	for (const mistake of mistakes) expect(mistake).toMatch(/ is not set, but PLUGINS contains .+\. [A-Z].+/);
	expect(mistakesWith({ ...PLUGIN_VARIABLES, PLUGINS: plugins })).toEqual([]);
});

it("needs the jwt plugin for oauth-provider", () => {
	expect(mistakesWith({ ...PLUGIN_VARIABLES, PLUGINS: "oauth-provider" })).toEqual([
		"PLUGINS contains oauth-provider, which signs tokens with the jwt plugin. Add jwt",
	]);
});

it("accepts API keys at /get-session only, unless other endpoints are listed", () => {
	expect(read({ PLUGINS: "api-key" }).apiKey).toEqual({ endpoints: ["/get-session"] });
	expect(read({ PLUGINS: "api-key", API_KEY_ENDPOINTS: "/get-session, /token" }).apiKey).toEqual({
		endpoints: ["/get-session", "/token"],
	});
	expect(mistakesWith({ PLUGINS: "api-key", API_KEY_ENDPOINTS: "*" })).toHaveLength(1);
});

it("lets the pages below a passkey's domain use it", () => {
	const origins = "https://app.example.com,https://example.org,https://*.example.com";
	expect(read({ PLUGINS: "passkey" }).passkey).toEqual({
		rpName: "auth.example.com",
		rpId: null,
		origins: ["https://auth.example.com"],
	});
	expect(
		read({ PLUGINS: "passkey", PASSKEY_RP_ID: "Example.com", PASSKEY_RP_NAME: "Shop", TRUSTED_ORIGINS: origins })
			.passkey,
	).toEqual({
		rpName: "Shop",
		rpId: "example.com",
		origins: ["https://auth.example.com", "https://app.example.com"],
	});
	expect(mistakesWith({ PLUGINS: "passkey", PASSKEY_RP_ID: "ample.com" })).toEqual([
		expect.stringMatching(/^PASSKEY_RP_ID is the domain of neither/),
	]);
	const subdomains = { TENANT_RESOLVER: "subdomain", TENANT_DOMAIN: "app.example.com" };
	expect(mistakesWith({ PLUGINS: "passkey", PASSKEY_RP_ID: "example.com", ...subdomains })).toEqual([
		expect.stringMatching(/^PASSKEY_RP_ID is set, but tenants have their own hosts/),
	]);
});

it("refuses a password in the URL of the SMS webhook, which Node's fetch would not send", () => {
	const SMS_WEBHOOK_URL = "https://me:hunter2@sms.example.com/send";
	const mistakes = mistakesWith({ ...PLUGIN_VARIABLES, SMS_WEBHOOK_URL });
	expect(mistakes).toEqual([expect.stringMatching(/^SMS_WEBHOOK_URL contains a user or a password\. Remove it/)]);
	expect(mistakes.join("")).not.toContain("hunter2");
});

it("reads no variables of plugins that are not listed", () => {
	const { apiKey, device, oauthProvider, passkey, scim } = read(PLUGIN_VARIABLES);
	expect([apiKey, device, oauthProvider, passkey, scim]).toEqual([null, null, null, null, null]);
});
