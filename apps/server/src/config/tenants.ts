import { httpSection } from "./http.ts";
import { defineSection } from "./section.ts";
import { flag, list, number, seconds, text } from "./variables.ts";

const RESOLVERS = ["header", "subdomain", "custom-domain", "path"] as const;
type Resolver = (typeof RESOLVERS)[number];

export const tenantsSection = defineSection(
	{
		TENANT_HEADER: text()
			.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: "is not a header name. Use a name such as x-tenant-id, or off" })
			.default("x-tenant-id")
			.meta({ description: "The header that names the tenant; off disables it" }),
		TENANT_RESOLVER: list().meta({
			description: `How to find a request's tenant besides body, query and header: ${RESOLVERS.join(", ")}. Separate several with commas. If two name different tenants, the request is refused`,
		}),
		TENANT_RESOLVER_HEADER: text()
			.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: "is not a header name. Use a name such as x-gateway-tenant" })
			.default("x-gateway-tenant")
			.meta({
				description:
					"For header: the header in which your gateway names the tenant. It takes precedence over body and query, so the gateway must drop it from incoming requests",
			}),
		TENANT_DOMAIN: text()
			.regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i, {
				error: "is not a domain. Use a domain such as app.example.com",
			})
			.optional()
			.meta({ description: "For subdomain: with app.example.com, the tenant acme has acme.app.example.com" }),
		TENANT_PATH: text()
			.regex(/^\/(?:[A-Za-z0-9_-]+\/)*:tenant$/, {
				error: "is not a path that ends in :tenant. Use a path such as /t/:tenant",
			})
			.default("/t/:tenant")
			.meta({ description: "For path: the path before BASE_PATH" }),
		TENANT_DOMAINS_FILE: text().optional().meta({
			description:
				'For custom-domain: a JSON file of domains and tenant ids, {"login.acme.com":"…"}. Changes are picked up. Without it, the domains that operators added with /tenant/domain/add',
		}),
		PLATFORM_HOSTS: list().meta({
			description:
				"For subdomain and custom-domain: other hosts under which the platform is reached, such as a name inside your cluster, separated by commas. Requests to them count as requests to the host of AUTH_URL. All other hosts get 404",
		}),
		OAUTH_CALLBACK_HOST: text()
			.regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i, {
				error: "is not a host name. Use a name such as auth.example.com, without a scheme or port",
			})
			.optional()
			.meta({
				description:
					"For subdomain and custom-domain: the host that OAuth providers return to for all tenants, so that one redirect URI is enough: https://…/tenant/shared-callback/google. It belongs to the platform: point its DNS at this service. Without it, providers return to the tenant's host",
			}),
		PLATFORM_SIGN_UP: flag(false).meta({
			description:
				"Whether people can sign up on the platform, without a tenant. Enable it while your operators sign up, if they use accounts instead of management keys",
		}),
		TENANT_CACHE_MAX_AGE: seconds(5, { most: 300 }).meta({
			description: "Maximum seconds until a change by another process takes effect here",
		}),
		DELETION_DRAIN_TIME: seconds(20, { most: 3600 }).meta({
			description:
				"Seconds between closing a tenant and deleting its last rows. At least TENANT_CACHE_MAX_AGE plus your longest request",
		}),
		TENANT_LIFECYCLE: flag(false).meta({
			description:
				"Whether operators can suspend, archive and restore tenants. Run migrate after you enable it. Tenants that are suspended stay closed if you disable it",
		}),
		HASHING_CONCURRENCY: number({ most: 128 }).optional().meta({
			description:
				"Passwords hashed at the same time, over all tenants, which take turns. The default is one per core, and at most one less than Node's threads (UV_THREADPOOL_SIZE, or 4)",
		}),
		PROVIDER_TIMEOUT: seconds(10, { least: 1, most: 60 }).meta({
			description: "Maximum seconds that a sign-in may spend on calls to its provider",
		}),
		ALLOW_PRIVATE_HOSTS: flag(false).meta({
			description:
				"Whether tenants may use providers on private addresses. Enable it only if you trust every tenant admin",
		}),
	},
	(values, mistakes) => {
		const unknown = values.TENANT_RESOLVER.find((name) => !RESOLVERS.some((resolver) => resolver === name));
		if (unknown !== undefined)
			mistakes.push(
				`TENANT_RESOLVER contains ${JSON.stringify(unknown)}, which is unknown. Choose from ${RESOLVERS.join(", ")}`,
			);
		const resolvers = RESOLVERS.filter((resolver) => values.TENANT_RESOLVER.includes(resolver));
		if (resolvers.includes("subdomain") && !values.TENANT_DOMAIN)
			mistakes.push(
				"TENANT_DOMAIN is not set, but TENANT_RESOLVER contains subdomain. Set the parent domain of the tenants",
			);
		const below = `.${values.TENANT_DOMAIN?.toLowerCase()}`;
		if (
			resolvers.includes("subdomain") &&
			URL.parse(values.AUTH_URL ?? "")
				?.hostname.replace(/\.$/, "")
				.endsWith(below)
		)
			mistakes.push(
				"AUTH_URL is a subdomain of TENANT_DOMAIN, so a tenant could take the server's own name as a slug. Use a host outside of TENANT_DOMAIN, or TENANT_DOMAIN itself",
			);
		for (const host of values.PLATFORM_HOSTS)
			if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(host))
				mistakes.push(
					`PLATFORM_HOSTS contains ${JSON.stringify(host)}, which is not a host name. Use a name such as auth.internal, without a scheme or port`,
				);
		if (values.OAUTH_CALLBACK_HOST && !resolvers.includes("subdomain") && !resolvers.includes("custom-domain"))
			mistakes.push(
				"OAUTH_CALLBACK_HOST is set, but tenants have no hosts of their own, so all of them share one redirect URI already. Remove it, or add subdomain or custom-domain to TENANT_RESOLVER",
			);
		if (values.DELETION_DRAIN_TIME > 0 && values.DELETION_DRAIN_TIME < values.TENANT_CACHE_MAX_AGE)
			mistakes.push(
				"DELETION_DRAIN_TIME is shorter than TENANT_CACHE_MAX_AGE. Increase it, or another process could write to a tenant that is being deleted",
			);
		return {
			header: values.TENANT_HEADER === "off" ? (false as const) : values.TENANT_HEADER,
			/** in the given order */
			resolvers: values.TENANT_RESOLVER.filter((name): name is Resolver => resolvers.some((known) => known === name)),
			resolverHeader: values.TENANT_RESOLVER_HEADER,
			domain: values.TENANT_DOMAIN ?? "",
			path: values.TENANT_PATH,
			domainsFile: resolvers.includes("custom-domain") ? (values.TENANT_DOMAINS_FILE ?? "") : "",
			platformHosts: values.PLATFORM_HOSTS.map((host) => host.toLowerCase()),
			callbackHost: values.OAUTH_CALLBACK_HOST?.toLowerCase() ?? null,
			platformSignUp: values.PLATFORM_SIGN_UP,
			cacheMaxAge: values.TENANT_CACHE_MAX_AGE,
			deletionDrainTime: values.DELETION_DRAIN_TIME,
			lifecycle: values.TENANT_LIFECYCLE,
			hashingConcurrency: values.HASHING_CONCURRENCY,
			providerTimeout: values.PROVIDER_TIMEOUT,
			allowPrivateHosts: values.ALLOW_PRIVATE_HOSTS,
		};
	},
	{ optional: httpSection.variables },
);

export type TenantsConfig = ReturnType<(typeof tenantsSection)["read"]>;
