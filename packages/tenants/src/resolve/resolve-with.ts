import type { ResolveTenantId } from "./hint.ts";
import type { HostRules } from "./host-rules.ts";
import { requestHost } from "./request-host.ts";

/** A resolver that returns the owner of the request's host. */
export const resolveWith =
	(hosts: HostRules): ResolveTenantId =>
	(request) => {
		const host = request.host === undefined ? requestHost(request) : request.host;
		// an application's own lookup may return a tenant for any host
		if (host === null || host === request.platformHost || hosts.isPlatform(host)) return null;
		return hosts.findOwner(host, request.tenants);
	};
