import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { checkPlugins } from "../../src/doctor/check-plugins.ts";
import { serverEnvironment } from "../command-line/support/environment.ts";
import { closedPort, startSmsReceiver } from "../plugins/sms-receiver.ts";
import { EVERY_PLUGIN } from "../support/every-plugin.ts";
import { saying } from "./judge.ts";

const AUTH_URL = "https://auth.example.com";
const HOSTS = { TENANT_RESOLVER: "subdomain", TENANT_DOMAIN: "app.example.com" };
const check = (given: Record<string, string>) =>
	checkPlugins(readConfig(serverEnvironment("postgres://me@127.0.0.1/none", { ...EVERY_PLUGIN, AUTH_URL, ...given })));

/** Serves /login, and 404 everywhere else. */
const startPages = async (): Promise<string> => {
	const server = createServer(({ url }, response) => void response.writeHead(url === "/login" ? 200 : 404).end());
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

it("are fine with tenants' hosts, pages by path and an SMS webhook that responds, and send no message", async () => {
	const sms = await startSmsReceiver();
	onTestFinished(sms.close);
	const found = await check({ ...HOSTS, SMS_WEBHOOK_URL: sms.url });
	expect(found.map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => "ok"));
	expect(sms.requests).toEqual([{ method: "HEAD", path: "/sms" }]);
	expect(saying(await check({ PLUGINS: "", SMS_WEBHOOK_URL: "", SMS_WEBHOOK_SECRET: "" }), "ok")).toEqual([
		"None are configured",
	]);
});

it("are wrong if the SMS webhook is down, and it is named without its path", async () => {
	const port = await closedPort();
	const found = await check({ ...HOSTS, SMS_WEBHOOK_URL: `http://127.0.0.1:${port}/canary` });
	expect(saying(found, "wrong")).toEqual([`The SMS webhook at 127.0.0.1:${port}: nothing is listening there`]);
	const plain = await check({ ...HOSTS, SMS_WEBHOOK_URL: "http://sms.invalid/canary" });
	expect(saying(plain, "warning")).toEqual(["SMS_WEBHOOK_URL has no TLS, so codes travel in clear text"]);
	expect(JSON.stringify([found, plain])).not.toContain("canary");
});

it("warn of one issuer for all tenants, patterns for passkeys, and a service that nobody manages", async () => {
	const found = await check({ MANAGEMENT_KEYS: "", TRUSTED_ORIGINS: "https://*.example.com" });
	expect(saying(found, "warning")).toEqual([
		"Nobody can set up oauth-provider, scim, sso for a tenant",
		expect.stringMatching(/^oauth-provider: all tenants have one issuer/),
		"passkey: patterns in TRUSTED_ORIGINS do not count for passkeys",
	]);
	expect(saying(await check({ AUTH_URL: "http://auth.example.com" }), "wrong")).toContain(
		"passkey: browsers create passkeys on https pages only",
	);
});

it("report pages that are missing, unreachable, or not allowed to call the API", async () => {
	const [pages, port] = [await startPages(), await closedPort()];
	const found = await check({
		...HOSTS,
		TRUSTED_ORIGINS: pages,
		OAUTH_PROVIDER_LOGIN_PAGE: `${pages}/login`,
		OAUTH_PROVIDER_CONSENT_PAGE: `${pages}/consent`,
		DEVICE_VERIFICATION_URL: `http://127.0.0.1:${port}/device`,
	});
	expect(saying(found, "ok")).toContain("OAUTH_PROVIDER_LOGIN_PAGE returns 200");
	expect(saying(found, "warning")).toEqual([
		`DEVICE_VERIFICATION_URL at 127.0.0.1:${port}: nothing is listening there`,
		"OAUTH_PROVIDER_CONSENT_PAGE returns 404",
	]);
	expect(saying(found, "wrong")).toContain(
		`DEVICE_VERIFICATION_URL is on http://127.0.0.1:${port}, whose pages may not call the API`,
	);
});
