import { betterAuth } from "better-auth";
import { boundConcurrency } from "better-auth-tenants";
import type { Pool } from "pg";
import type { Config } from "../config/config.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { Logger } from "../observe/logger.ts";
import type { Storage } from "../redis/storage.ts";
import { answeringOutages } from "./answer-outages.ts";
import { authOptions } from "./auth-options.ts";
import { createDomains } from "./domains-file.ts";
import { createTenantDirectory, type FindTenant } from "./tenant-directory.ts";
import { unavailable } from "./unavailable.ts";

export type Auth = ReturnType<typeof createAuth>;

/** What the engine works with. All of it is opened by whoever starts the service, and closed by him. */
export type Parts = {
	config: Config;
	pool: Pool;
	storage: Storage | null;
	mailer: Mailer | null;
	logger: Logger;
	/** told of each look-up of a tenant by slug or for its name */
	tenantCache?: { hit(): void; miss(): void };
};

/** The engine with tenants, as the configuration says. */
export const createAuth = (parts: Parts) => {
	const { tenants, limits } = parts.config;
	const find: FindTenant = async (query) => {
		try {
			// without a request: the service's own question, which no audit entry is written for
			return await auth.api.getTenant({ query });
		} catch (error) {
			if (error instanceof Error && "statusCode" in error && error.statusCode === 404) return null;
			throw unavailable();
		}
	};
	const directory = createTenantDirectory({ find, maxAge: tenants.cacheMaxAge, counters: parts.tenantCache });
	const domains = tenants.resolvers.includes("custom-domain") ? createDomains(tenants.domainsFile, parts.logger) : null;
	const auth = betterAuth(authOptions({ ...parts, directory, domains }));
	const handler = boundConcurrency({ ...auth, handler: answeringOutages(auth.handler) }, limits.atOnce);
	return { ...auth, handler, fetch: handler };
};
