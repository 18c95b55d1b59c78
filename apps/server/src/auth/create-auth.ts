import { betterAuth } from "better-auth";
import { createTenantHandler, limitConcurrency } from "better-auth-tenants";
import { refusingUnstoredMails } from "../mail/unstored-mails.ts";
import { unavailable } from "../request/unavailable.ts";
import type { ServerApi } from "../tenants/act-for-tenant.ts";
import { createTenantDirectory, type FindTenant } from "../tenants/tenant-directory.ts";
import { answeringOutages } from "./answer-outages.ts";
import { authOptions } from "./auth-options.ts";
import type { AuthServices } from "./auth-services.ts";

export type Auth = ReturnType<typeof createAuth>;

/** Creates Better Auth with tenants from the configuration. */
export const createAuth = (services: AuthServices) => {
	const { tenants, limits } = services.config;
	const find: FindTenant = async (query) => {
		try {
			// without a request, so no audit entry is written
			const { id, slug, name, metadata } = await auth.api.getTenant({ query });
			return { id, slug, name, mail: metadata?.mail };
		} catch (error) {
			if (error instanceof Error && "statusCode" in error && error.statusCode === 404) return null;
			throw unavailable();
		}
	};
	const directory = createTenantDirectory({ find, maxAge: tenants.cacheMaxAge, counters: services.tenantCache });
	const api: ServerApi = () => auth.api;
	const auth = betterAuth(authOptions({ ...services, directory, api }));
	const answering = answeringOutages(refusingUnstoredMails(createTenantHandler(auth)));
	const handler = limitConcurrency({ ...auth, handler: answering }, limits.atOnce);
	return { ...auth, handler, fetch: handler, tenantById: directory.byId };
};
