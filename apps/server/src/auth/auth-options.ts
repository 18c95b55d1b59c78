import type { BetterAuthOptions } from "better-auth";
import { type AuditEntry, type TenantAuthOptions, withTenants } from "better-auth-tenants";
import { CLIENT_ADDRESS_HEADER } from "../http/client-address.ts";
import { rememberTenant } from "../http/tenant-of-request.ts";
import { answerErrors } from "./answer-errors.ts";
import type { AuthServices } from "./auth-services.ts";
import type { Domains } from "./domains-file.ts";
import { engineLogger } from "./engine-logger.ts";
import { expiryIndexes } from "./expiry-indexes.ts";
import { mailHooks } from "./mail-hooks.ts";
import { createPlugins } from "./plugins.ts";
import { createResolver } from "./resolver.ts";
import type { TenantDirectory } from "./tenant-directory.ts";
import { tenantHosts } from "./tenant-hosts.ts";
import { createTenantOfHost, type TenantOfHost } from "./tenant-of-host.ts";

type OptionsWith = AuthServices & { directory: TenantDirectory; domains: Domains | null };

/** All options passed to Better Auth. The only place where configuration becomes options. */
export const authOptions = (parts: OptionsWith) => {
	const { config, pool, storage, logger, directory, domains } = parts;
	const { http, secrets, session, limits, tenants } = config;
	const mail = mailHooks(parts);
	const tenantOfHost = createTenantOfHost({ tenants, directory, domains });
	return {
		appName: config.observe.tracing?.serviceName ?? "better-auth-tenants",
		baseURL: http.publicURL,
		basePath: http.basePath,
		trustedOrigins: http.trustedOrigins,
		secret: secrets.secret,
		...(secrets.versioned.length > 0 ? { secrets: secrets.versioned } : {}),
		database: pool,
		...(storage ? { secondaryStorage: storage } : {}),
		logger: engineLogger(logger),
		onAPIError: { onError: answerErrors(logger) },
		telemetry: { enabled: false },
		socialProviders: config.socialProviders,
		emailAndPassword: {
			enabled: true,
			requireEmailVerification: config.mail.requireVerification,
			revokeSessionsOnPasswordReset: true,
			...mail.emailAndPassword,
		},
		emailVerification: {
			sendOnSignUp: config.mail.requireVerification,
			autoSignInAfterVerification: true,
			...mail.emailVerification,
		},
		user: { deleteUser: { enabled: true }, ...mail.user },
		session: {
			expiresIn: session.maxAge,
			updateAge: session.updateAge,
			// if Redis loses its data, users stay signed in and no acknowledged session is lost
			storeSessionInDatabase: true,
			cookieCache: { enabled: session.cookieCacheMaxAge > 0, maxAge: session.cookieCacheMaxAge },
		},
		// mailed links survive too, and the database marks them as used
		verification: { storeInDatabase: true },
		rateLimit: {
			enabled: limits.enabled,
			window: limits.window,
			max: limits.max,
			storage: storage ? "secondary-storage" : "memory",
		},
		advanced: {
			// set by this server; the same header from a caller is dropped
			ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
			useSecureCookies: http.publicURL.startsWith("https:"),
			// explicit, because the engine turns this check off when NODE_ENV is test
			disableOriginCheck: false,
			// `serve` checks the schema itself, and `migrate` must start the engine on an old one
			database: { validateSchema: false },
		},
		plugins: withTenants(tenantOptions(parts, tenantOfHost), [
			rememberTenant(),
			expiryIndexes(),
			tenantHosts({ ...http, tenantOfHost }),
			...createPlugins(config.plugins, mail),
		]),
	} satisfies BetterAuthOptions;
};

const tenantOptions = (
	{ config, logger, audit, directory }: OptionsWith,
	tenantOfHost: TenantOfHost,
): TenantAuthOptions => {
	const { tenants, management, limits } = config;
	const resolveTenantId = createResolver({ tenants, directory, tenantOfHost });
	return {
		...(resolveTenantId ? { resolveTenantId } : {}),
		tenantHeader: tenants.header,
		// operators sign up on the platform; a host below TENANT_DOMAIN never belongs to it
		platform: { signUp: true },
		management: {
			keys: management.keys,
			userIds: management.userIds,
			roles: management.roles,
			transfer: management.transfer,
			audit: async (entry) => {
				if (isOwnLookup(entry)) return;
				if (audit) await audit(entry);
				else logger.info({ audit: entry }, "management");
			},
		},
		tenantCache: { maxAge: tenants.cacheMaxAge },
		deletion: { gracePeriod: tenants.deletionGracePeriod },
		oauth: { allowPrivateHosts: tenants.allowPrivateHosts, providerTimeout: tenants.providerTimeout },
		limits: { perTenant: limits.perTenant, perUser: limits.perUser },
		hashing: tenants.hashingConcurrency === undefined ? {} : { concurrency: tenants.hashingConcurrency },
	};
};

/** The server looks up a slug on every request. These entries are not the action of a user. */
const isOwnLookup = ({ action, actor }: AuditEntry): boolean => action === "tenant:get" && actor.kind === "server";
