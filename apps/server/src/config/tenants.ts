import { httpSection } from "./http.ts";
import { defineSection } from "./section.ts";
import { flag, list, number, seconds, text } from "./variables.ts";

const RESOLVERS = ["header", "subdomain", "custom-domain", "path"] as const;
type Resolver = (typeof RESOLVERS)[number];

export const tenantsSection = defineSection(
	{
		TENANT_HEADER: text()
			.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: "is not a header name. Write x-tenant-id, or off" })
			.default("x-tenant-id")
			.meta({ description: "The header that may name the tenant; off where no header may" }),
		TENANT_RESOLVER: list().meta({
			description: `How a request says its tenant, besides body, query and header: ${RESOLVERS.join(", ")}; several by commas, and where two name different tenants the request is refused`,
		}),
		TENANT_RESOLVER_HEADER: text()
			.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: "is not a header name. Write x-gateway-tenant" })
			.default("x-gateway-tenant")
			.meta({
				description:
					"For header: the header by which your gateway names the tenant, before body and query are asked; it must drop what comes from outside",
			}),
		TENANT_DOMAIN: text()
			.regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i, {
				error: "is not a domain. Write app.example.com",
			})
			.optional()
			.meta({ description: "For subdomain: app.example.com, where the tenant acme is acme.app.example.com" }),
		TENANT_PATH: text()
			.regex(/^\/(?:[A-Za-z0-9_-]+\/)*:tenant$/, {
				error: "is not a path that ends in :tenant. Write it as /t/:tenant",
			})
			.default("/t/:tenant")
			.meta({ description: "For path: what stands before BASE_PATH" }),
		TENANT_DOMAINS_FILE: text().optional().meta({
			description:
				'For custom-domain: a JSON file of domains and tenant ids, {"login.acme.com":"…"}; read again when it changes',
		}),
		TENANT_CACHE_MAX_AGE: seconds(5, { most: 300 }).meta({
			description: "Seconds after which a change made by another process is in force here at the latest",
		}),
		DELETION_GRACE_PERIOD: seconds(20, { most: 3600 }).meta({
			description:
				"Seconds between closing a tenant and its last sweep; at least TENANT_CACHE_MAX_AGE plus your longest request",
		}),
		HASHING_CONCURRENCY: number({ most: 128 }).optional().meta({
			description:
				"Passwords hashed at the same time, of all tenants, which take turns; without it one for each core, and at most one less than the threads that Node has (UV_THREADPOOL_SIZE, or 4)",
		}),
		PROVIDER_TIMEOUT: seconds(10, { least: 1, most: 60 }).meta({
			description: "Seconds that a sign-in may spend on calls to its provider",
		}),
		ALLOW_PRIVATE_HOSTS: flag(false).meta({
			description: "Lets tenants name providers on private addresses: only where every tenant admin is trusted",
		}),
	},
	(values, mistakes) => {
		const unknown = values.TENANT_RESOLVER.find((name) => !RESOLVERS.some((resolver) => resolver === name));
		if (unknown !== undefined)
			mistakes.push(`TENANT_RESOLVER holds ${JSON.stringify(unknown)}. Take of ${RESOLVERS.join(", ")}`);
		const resolvers = RESOLVERS.filter((resolver) => values.TENANT_RESOLVER.includes(resolver));
		const needed = { subdomain: values.TENANT_DOMAIN, "custom-domain": values.TENANT_DOMAINS_FILE };
		if (resolvers.includes("subdomain") && !needed.subdomain)
			mistakes.push(
				"TENANT_DOMAIN is not set, and TENANT_RESOLVER has subdomain. Give the domain below which tenants have theirs",
			);
		const below = `.${needed.subdomain?.toLowerCase()}`;
		if (
			resolvers.includes("subdomain") &&
			URL.parse(values.AUTH_URL ?? "")
				?.hostname.replace(/\.$/, "")
				.endsWith(below)
		)
			mistakes.push(
				"AUTH_URL is below TENANT_DOMAIN, where each name is a tenant's: somebody could take the service's own as a slug. Take an address outside of it, or TENANT_DOMAIN itself",
			);
		if (resolvers.includes("custom-domain") && !needed["custom-domain"])
			mistakes.push(
				"TENANT_DOMAINS_FILE is not set, and TENANT_RESOLVER has custom-domain. Give the file of domains and tenant ids",
			);
		if (values.DELETION_GRACE_PERIOD > 0 && values.DELETION_GRACE_PERIOD < values.TENANT_CACHE_MAX_AGE)
			mistakes.push(
				"DELETION_GRACE_PERIOD is shorter than TENANT_CACHE_MAX_AGE. Make it longer, or another process writes into a tenant that is being deleted",
			);
		return {
			header: values.TENANT_HEADER === "off" ? (false as const) : values.TENANT_HEADER,
			/** in the order they were given */
			resolvers: values.TENANT_RESOLVER.filter((name): name is Resolver => resolvers.some((known) => known === name)),
			resolverHeader: values.TENANT_RESOLVER_HEADER,
			domain: values.TENANT_DOMAIN ?? "",
			path: values.TENANT_PATH,
			domainsFile: values.TENANT_DOMAINS_FILE ?? "",
			cacheMaxAge: values.TENANT_CACHE_MAX_AGE,
			deletionGracePeriod: values.DELETION_GRACE_PERIOD,
			hashingConcurrency: values.HASHING_CONCURRENCY,
			providerTimeout: values.PROVIDER_TIMEOUT,
			allowPrivateHosts: values.ALLOW_PRIVATE_HOSTS,
		};
	},
	{ optional: httpSection.variables },
);

export type TenantsConfig = ReturnType<(typeof tenantsSection)["read"]>;
