import type { ResolveTenantId } from "./hint.ts";
import type { HostRules } from "./host-rules.ts";
import { requestHost } from "./request-host.ts";

/** A resolver that returns the owner of the request's host. */
export const resolveWith =
	(hosts: HostRules): ResolveTenantId =>
	(request) => {
		const host = request.host === undefined ? requestHost(request) : request.host;
		return host === null || hosts.isPlatform(host) ? null : hosts.findOwner(host, request.tenants);
	};
