import { APIError } from "better-auth/api";
import { type ResolvableRequest, TENANT_AUTH_ERROR_CODES } from "better-auth-tenants";
import type { TenantsConfig } from "../config/tenants.ts";
import type { Domains } from "./domains-file.ts";
import type { TenantDirectory } from "./tenant-directory.ts";
import { twoTenants } from "./two-tenants.ts";

type HostsWith = { tenants: TenantsConfig; directory: Pick<TenantDirectory, "bySlug">; domains: Domains | null };

/** Returns the id of the tenant that owns a host, or null. */
export type TenantOfHost = (host: string) => Promise<string | null>;

/**
 * Finds the owner of a host, by subdomain and by the domains file. A name below TENANT_DOMAIN never belongs to the
 * platform: if no tenant has it, the request is refused.
 */
export const createTenantOfHost = ({ tenants, directory, domains }: HostsWith): TenantOfHost => {
	const suffix = `.${tenants.domain.toLowerCase()}`;
	const bySubdomain = tenants.resolvers.includes("subdomain");
	return async (host) => {
		const listed = (await domains?.findTenantId(host)) ?? null;
		if (!bySubdomain || !host.endsWith(suffix)) return listed;
		// deeper names contain a dot, which no slug does
		const owner = (await directory.bySlug(host.slice(0, -suffix.length)))?.id ?? null;
		if (listed === null && owner === null) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
		if (listed !== null && owner !== null && listed !== owner) throw twoTenants();
		return listed ?? owner;
	};
};

/** The host of a request, in lower case and without its port. Internal calls only have the request's headers. */
export const hostOf = ({ request, headers }: Pick<ResolvableRequest, "request" | "headers">): string => {
	const url = request ? request.url : `http://${headers?.get("host") ?? ""}`;
	return URL.parse(url)?.hostname ?? "";
};
