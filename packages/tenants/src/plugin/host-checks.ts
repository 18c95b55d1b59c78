import type { AuthContext, DynamicBaseURLConfig } from "@better-auth/core";
import { env } from "@better-auth/core/env";
import { matchesPath } from "../engine/path-pattern.ts";
import { normalizeHost } from "../resolve/host-name.ts";
import type { HostRules } from "../resolve/host-rules.ts";

type Options = AuthContext["options"];

const EXAMPLE = '{ allowedHosts: ["app.example.com"], fallback: "https://app.example.com", protocol: "https" }';

/** Complains about options that cannot keep tenants on their own hosts. */
export const checkHosts = ({ options }: AuthContext, rules: HostRules | undefined): string[] =>
	rules ? [...checkBaseURL(options, rules), ...checkCookies(options), ...checkTrustedOrigins(options, rules)] : [];

const isDynamic = (baseURL: Options["baseURL"]): baseURL is DynamicBaseURLConfig => typeof baseURL === "object";

const checkBaseURL = ({ baseURL }: Options, rules: HostRules): string[] => {
	if (!isDynamic(baseURL))
		return [
			`resolveTenantId reads the host, but \`baseURL\` is one URL for all hosts: links in mails, cookies and OAuth redirects of a tenant would use the wrong host. Set baseURL: ${EXAMPLE}, with the URL of your platform.`,
		];
	const { fallback, protocol } = baseURL;
	const home = fallback ? URL.parse(fallback) : null;
	if (!home || !/^https?:$/.test(home.protocol) || home.href !== `${home.origin}/`)
		return [
			`resolveTenantId reads the host, so \`baseURL.fallback\` must be the URL of your platform, without a path. Tenants have the same protocol and port. Set baseURL: ${EXAMPLE}.`,
		];
	const complaints: string[] = [];
	const scheme = home.protocol.slice(0, -1);
	if (protocol !== scheme)
		complaints.push(
			`\`baseURL.protocol\` must be "${scheme}" like \`baseURL.fallback\`, because it decides whether cookies are secure. Set baseURL.protocol: "${scheme}".`,
		);
	const host = normalizeHost(home.host);
	if (host !== null && rules.covers(host) && !rules.isPlatform(host))
		complaints.push(
			`\`baseURL.fallback\` is on ${host}, which could be a tenant's subdomain. Add "${host}" to platformHosts of the resolver.`,
		);
	return complaints;
};

/** A cookie with a domain is sent to all hosts below it: to other tenants. */
const checkCookies = ({ advanced }: Options): string[] => {
	const places = [
		...(advanced?.crossSubDomainCookies?.enabled ? ["advanced.crossSubDomainCookies"] : []),
		...(advanced?.defaultCookieAttributes?.domain ? ["advanced.defaultCookieAttributes.domain"] : []),
		...Object.entries(advanced?.cookies ?? {}).flatMap(([name, cookie]) =>
			cookie.attributes?.domain ? [`advanced.cookies.${name}.attributes.domain`] : [],
		),
	];
	return places.map(
		(place) =>
			`\`${place}\` sends the cookies of one tenant to the hosts of the others. Remove it: each host has its own cookies.`,
	);
};

/** The plugin trusts a tenant's host in that tenant's requests. A pattern would trust it in all requests. */
const checkTrustedOrigins = ({ trustedOrigins }: Options, rules: HostRules): string[] =>
	[...(Array.isArray(trustedOrigins) ? trustedOrigins : []), ...(env.BETTER_AUTH_TRUSTED_ORIGINS?.split(",") ?? [])]
		.filter((pattern) => /[*?]/.test(pattern) && matchesTenantHost(pattern, rules))
		.map(
			(pattern) =>
				`\`trustedOrigins\` has ${JSON.stringify(pattern)}, so a page of one tenant could call the others. Remove it: the host of a tenant is trusted in its own requests.`,
		);

/**
 * Whether a pattern matches the host of some tenant. `?` matches one character. It counts as any text here, which rejects
 * more patterns than necessary, and so do patterns of other schemes.
 */
const matchesTenantHost = (pattern: string, { example }: HostRules): boolean => {
	const lower = pattern.toLowerCase();
	const afterScheme = lower.slice(lower.includes("://") ? lower.lastIndexOf("://") + 3 : 0);
	// the engine compares an origin, which has no path; `/**` matches none
	const [place = ""] = afterScheme.split("/", 1);
	const hosts = place.replace(/:[\d*?]{1,5}$/, "").replaceAll("?", "*");
	if (example === null) return matchesPath(hosts, "no-such-tenant.example");
	// `team-*.app.example.com` matches the tenants that have such a slug
	const slug = hosts.split(".", 1)[0]?.replaceAll("*", "x");
	return [example, example.replace(/^[^.]*/, slug || "x")].some((host) => matchesPath(hosts, host.toLowerCase()));
};
