import type { AuthContext } from "@better-auth/core";
import { defineService } from "../../engine/service.ts";
import type { DomainStore } from "../../scope/tenants/domain-store.ts";
import type { Hosts } from "../../scope/tenants/hosts.ts";
import type { TenantStore } from "../../scope/tenants/tenant-store.ts";
import { callbackPathOf } from "./callback-path.ts";
import type { PublicBaseURL } from "./public-base-url.ts";
import { sharedCallbackPath } from "./shared-callback-path.ts";

/** The redirect URIs of a provider with this callback path, the one to show first. */
export type CallbackURLsOf = (providerId: string, callbackPath: string) => string[];

export type CallbackURLs = ReturnType<typeof createCallbackURLs>;

/** The redirect URIs that sign-ins of a tenant send. */
export const callbackURLsOf = defineService<CallbackURLs>("callbackURLs");

type With = {
	/** which hosts belong to tenants, if the resolver reads the host */
	hosts: Hosts | null;
	/** the base URL of `oauth.callbackHost`, if set */
	callbackBase: string | null;
	tenants: Pick<TenantStore, "findKept">;
	domains: Pick<DomainStore, "list">;
	publicBaseURL: PublicBaseURL;
};

/**
 * Finds the redirect URIs that sign-ins of a tenant send: one for each of its hosts, or the one of the callback host. Operators
 * call this on the platform's host, where the tenant's users do not sign in. Costs two queries if tenants have hosts, otherwise
 * none.
 */
export const createCallbackURLs = ({ hosts, callbackBase, tenants, domains, publicBaseURL }: With) => {
	const basesOf = async (context: AuthContext, tenantId: string): Promise<string[]> => {
		const here = publicBaseURL(context);
		const tenant = hosts && (await tenants.findKept({ id: tenantId }));
		const named = tenant && { id: tenantId, slug: tenant.slug, domains: await namesOf(domains, tenantId) };
		const bases = named ? (await hosts.hostsOf(named, context)).map(hosts.baseURLOf) : [];
		if (bases.length > 0) return hereFirst(bases, here);
		// a tenant without a host signs in on the platform's
		return here === null ? [] : [here];
	};
	return async (context: AuthContext, tenantId: string): Promise<CallbackURLsOf> => {
		const bases = await basesOf(context, tenantId);
		return (providerId, path) =>
			callbackBase !== null && path === callbackPathOf(providerId, tenantId, "shared")
				? [`${callbackBase}${sharedCallbackPath(providerId)}`]
				: bases.map((base) => `${base}${path}`);
	};
};

const namesOf = async (domains: Pick<DomainStore, "list">, tenantId: string): Promise<string[]> =>
	(await domains.list(tenantId)).map(({ domain }) => domain);

/** An admin on one of the tenant's hosts sees that host's URL first. */
const hereFirst = (bases: string[], here: string | null): string[] =>
	here !== null && bases.includes(here) ? [here, ...bases.filter((base) => base !== here)] : bases;

/** The base URL of `oauth.callbackHost`. Null if it is not set. */
export const callbackBaseOf = defineService<string | null>("callbackBase");
