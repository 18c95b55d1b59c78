import { isLoopbackHost } from "@better-auth/core/utils/host";
import type { Config } from "../config/config.ts";
import { createOriginCheck } from "../http/origins.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("plugins");

/** Maximum milliseconds to wait for a page or the SMS webhook. */
const LONGEST = 5_000;

type PluginsOf = Pick<
	Config,
	"plugins" | "http" | "tenants" | "management" | "device" | "oauthProvider" | "passkey" | "sms"
>;

/** Checks what the configured plugins depend on: your pages, the SMS webhook, tenants' hosts and somebody who manages. */
export const checkPlugins = async (config: PluginsOf): Promise<Finding[]> => {
	if (config.plugins.length === 0) return [ok("None are configured")];
	const pages = await Promise.all(pagesOf(config).map(([name, page]) => checkPage(name, page, config)));
	return [
		ok(config.plugins.join(", ")),
		...checkManagers(config),
		...checkIssuer(config),
		...checkPasskeys(config),
		...pages.flat(),
		...(await checkWebhook(config)),
	];
};

/** Plugins whose objects only operators can create. */
const MANAGED = ["oauth-provider", "scim", "sso"];

const checkManagers = ({ plugins, management: { keys, userIds, roles } }: PluginsOf): Finding[] => {
	const managed = plugins.filter((name) => MANAGED.includes(name));
	if (managed.length === 0 || keys.length + userIds.length + roles.length > 0) return [];
	return [warning(`Nobody can set up ${managed.join(", ")} for a tenant`, "Set MANAGEMENT_KEYS.")];
};

const hasTenantHosts = ({ tenants }: PluginsOf): boolean =>
	tenants.resolvers.some((name) => name === "subdomain" || name === "custom-domain");

const checkIssuer = (config: PluginsOf): Finding[] => {
	if (!config.oauthProvider) return [];
	if (hasTenantHosts(config)) return [ok("oauth-provider: each tenant's host is an issuer of its own")];
	return [
		warning(
			"oauth-provider: all tenants have one issuer, so clients that read its discovery document find the platform's keys",
			"Give tenants their own hosts with TENANT_RESOLVER=subdomain or custom-domain.",
		),
	];
};

const checkPasskeys = (config: PluginsOf): Finding[] => {
	if (!config.passkey) return [];
	const { rpId, origins } = config.passkey;
	const { hostname, protocol } = new URL(config.http.publicURL);
	if (protocol !== "https:" && !isLoopbackHost(hostname))
		return [wrong("passkey: browsers create passkeys on https pages only", "Use an https URL in AUTH_URL.")];
	const own = hasTenantHosts(config) ? ", and on tenants' hosts to that host" : "";
	const findings = [ok(`passkey: passkeys belong to ${rpId ?? hostname} on ${origins.join(", ")}${own}`)];
	if (config.http.trustedOrigins.some((origin) => origin.includes("*")))
		findings.push(
			warning(
				"passkey: patterns in TRUSTED_ORIGINS do not count for passkeys",
				"List each origin whose pages use passkeys.",
			),
		);
	return findings;
};

const pagesOf = ({ device, oauthProvider }: PluginsOf): [name: string, page: string][] => [
	...(device ? [["DEVICE_VERIFICATION_URL", device.verificationURL] as [string, string]] : []),
	...(oauthProvider
		? ([
				["OAUTH_PROVIDER_LOGIN_PAGE", oauthProvider.loginPage],
				["OAUTH_PROVIDER_CONSENT_PAGE", oauthProvider.consentPage],
			] as [string, string][])
		: []),
];

const checkPage = async (name: string, page: string, { http }: PluginsOf): Promise<Finding[]> => {
	const url = URL.parse(page);
	if (!url) return [ok(`${name}: ${page} on the host of each request`)];
	const findings: Finding[] = [];
	if (!createOriginCheck([http.publicURL, ...http.trustedOrigins])(url.origin))
		findings.push(
			wrong(`${name} is on ${url.origin}, whose pages may not call the API`, "Add the origin to TRUSTED_ORIGINS."),
		);
	try {
		const { status } = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(LONGEST) });
		findings.push(
			status >= 400 ? warning(`${name} returns ${status}`, "Correct the URL.") : ok(`${name} returns ${status}`),
		);
	} catch (error) {
		const { says, fix } = describeFailure(error);
		findings.push(warning(`${name} at ${url.host}: ${says}`, fix));
	}
	return findings;
};

const checkWebhook = async ({ sms }: PluginsOf): Promise<Finding[]> => {
	if (!sms) return [];
	const url = new URL(sms.url);
	const findings: Finding[] = [];
	if (url.protocol === "http:" && !isLoopbackHost(url.hostname))
		findings.push(warning("SMS_WEBHOOK_URL has no TLS, so codes travel in clear text", "Use an https URL."));
	try {
		// without a code or a signature, so nothing is sent
		const { status } = await fetch(url, {
			method: "HEAD",
			redirect: "manual",
			signal: AbortSignal.timeout(LONGEST),
		});
		findings.push(
			status >= 500
				? warning(`The SMS webhook at ${url.host} returns ${status}`, "Check its log.")
				: ok(`The SMS webhook at ${url.host} responds`),
		);
	} catch (error) {
		const { says, fix } = describeFailure(error);
		findings.push(wrong(`The SMS webhook at ${url.host}: ${says}`, fix));
	}
	return findings;
};
