import type { ResolveTenantId } from "./hint.ts";
import { requestHost } from "./request-host.ts";

type Options = {
	/** Finds the id of the tenant that owns this host name; answer nothing for an unknown one. Cache it: it runs at every request. */
	tenantIdOf: (host: string) => string | null | undefined | Promise<string | null | undefined>;
};

/** Reads the tenant from the host itself: `login.acme.com`. */
export const fromCustomDomain =
	({ tenantIdOf }: Options): ResolveTenantId =>
	(request) => {
		const host = requestHost(request);
		return host ? tenantIdOf(host) : null;
	};
