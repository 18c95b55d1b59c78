import { APIError } from "better-auth/api";
import { type ResolvableRequest, TENANT_AUTH_ERROR_CODES } from "better-auth-tenants";
import type { TenantsConfig } from "../config/tenants.ts";
import type { Domains } from "./domains-file.ts";
import type { TenantDirectory } from "./tenant-directory.ts";
import { twoTenants } from "./two-tenants.ts";

type HostsWith = { tenants: TenantsConfig; directory: Pick<TenantDirectory, "bySlug">; domains: Domains | null };

/** The id of the tenant that a host is of; nothing where it is no tenant's. */
export type TenantOfHost = (host: string) => Promise<string | null>;

/**
 * Whose a host is, by the domain of all tenants and by the file of domains. What is below the tenants' domain is never the
 * platform's: a name there that is nobody's is refused, also where its tenant is gone.
 */
export const createTenantOfHost = ({ tenants, directory, domains }: HostsWith): TenantOfHost => {
	const suffix = `.${tenants.domain.toLowerCase()}`;
	const bySubdomain = tenants.resolvers.includes("subdomain");
	return async (host) => {
		const listed = (await domains?.findTenantId(host)) ?? null;
		if (!bySubdomain || !host.endsWith(suffix)) return listed;
		// deeper names hold a dot, which no slug has
		const owner = (await directory.bySlug(host.slice(0, -suffix.length)))?.id ?? null;
		if (listed === null && owner === null) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
		if (listed !== null && owner !== null && listed !== owner) throw twoTenants();
		return listed ?? owner;
	};
};

/** The host that a request was sent to, lower-case and without its port; calls inside of one have its headers only. */
export const hostOf = ({ request, headers }: Pick<ResolvableRequest, "request" | "headers">): string => {
	const url = request ? request.url : `http://${headers?.get("host") ?? ""}`;
	return URL.parse(url)?.hostname ?? "";
};
