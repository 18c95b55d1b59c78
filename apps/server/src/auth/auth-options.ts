import type { BetterAuthOptions } from "better-auth";
import { type AuditEntry, type ResolveTenantId, type TenantAuthOptions, withTenants } from "better-auth-tenants";
import { tenantLifecycle } from "better-auth-tenants/lifecycle";
import { authorizeInTenant } from "../console/authorize.ts";
import { consolePlugins } from "../console/console-plugin.ts";
import { replaceForeignHash, verifyAnyPassword } from "../foreign-hashes/password.ts";
import { acceptsPasswordHash } from "../foreign-hashes/read-hash.ts";
import { engineLogger } from "../observe/engine-logger.ts";
import { CLIENT_ADDRESS_HEADER } from "../request/client-address.ts";
import { rememberTenant } from "../request/tenant-of-request.ts";
import { recordsChanges } from "../schema/change-log.ts";
import { expiryIndexes } from "../schema/expiry-indexes.ts";
import type { ServerApi } from "../tenants/act-for-tenant.ts";
import { tenantBranding } from "../tenants/tenant-branding.ts";
import { refuseInvalidBranding } from "../tenants/tenant-branding-check.ts";
import type { TenantDirectory } from "../tenants/tenant-directory.ts";
import { answerErrors } from "./answer-errors.ts";
import type { AuthServices } from "./auth-services.ts";
import { mailHooks } from "./mail-hooks.ts";
import { createPlugins } from "./plugins.ts";
import { policyPlugins } from "./policy.ts";
import { rateLimits } from "./rate-limits.ts";
import { createResolver } from "./resolver.ts";
import { refuseInvalidMail } from "./tenant-mail-check.ts";

type OptionsWith = AuthServices & { directory: TenantDirectory; api: ServerApi };

/** All options passed to Better Auth. The only place where configuration becomes options. */
export const authOptions = (parts: OptionsWith) => {
	const { config, pool, sms = null, logger, directory, domains = null, api } = parts;
	const { http, secrets, session, limits, tenants } = config;
	const mail = mailHooks(parts);
	const resolveTenantId = createResolver({ tenants, directory, domains, http });
	const chosen = createPlugins({ config, mail, sms, logger, api, audit: auditOf(parts) });
	const plugins = withTenants(tenantOptions(parts, resolveTenantId), [
		rememberTenant(),
		...(config.tenants.lifecycle ? [tenantLifecycle()] : []),
		...chosen,
		expiryIndexes(chosen),
		...(config.redis ? [recordsChanges] : []),
		...consolePlugins({ config, api, pool, overview: parts.console?.overview ?? null }),
		...policyPlugins(config.policy),
	]);
	refuseInvalidMail(plugins[0], config.mail);
	refuseInvalidBranding(plugins[0], config.pages);
	return {
		appName: config.observe.tracing?.serviceName ?? "better-auth-tenants",
		baseURL: resolveTenantId?.hosts ? byHost(http.publicURL) : http.publicURL,
		basePath: http.basePath,
		trustedOrigins: http.trustedOrigins,
		secret: secrets.secret,
		secrets: secrets.versioned,
		database: pool,
		logger: engineLogger(logger),
		onAPIError: { onError: answerErrors(logger) },
		telemetry: { enabled: false },
		socialProviders: config.socialProviders,
		emailAndPassword: {
			enabled: true,
			requireEmailVerification: config.mail.requireVerification,
			revokeSessionsOnPasswordReset: true,
			password: { verify: verifyAnyPassword },
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
			cookieCache: { enabled: session.cookieCacheMaxAge > 0, maxAge: session.cookieCacheMaxAge },
		},
		databaseHooks: { session: { create: { after: replaceForeignHash(logger) } } },
		rateLimit: rateLimits(limits),
		advanced: {
			// set by this server; the same header from a caller is dropped
			ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
			useSecureCookies: http.publicURL.startsWith("https:"),
			// explicit, because the engine turns this check off when NODE_ENV is test
			disableOriginCheck: false,
			// `serve` checks the schema itself, and `migrate` must start the engine on an old one
			database: { validateSchema: false },
		},
		plugins,
	} satisfies BetterAuthOptions;
};

/** The package sets the base URL of each request to its tenant's host. Here it is the platform's. */
const byHost = (publicURL: string) => {
	const { host, protocol } = new URL(publicURL);
	return {
		allowedHosts: [host],
		fallback: publicURL,
		protocol: protocol === "https:" ? ("https" as const) : ("http" as const),
	};
};

const tenantOptions = (parts: OptionsWith, resolveTenantId: ResolveTenantId | null): TenantAuthOptions => {
	const { config, pool, cache } = parts;
	const { tenants, management, limits, http } = config;
	return {
		...(resolveTenantId ? { resolveTenantId } : {}),
		tenantHeader: tenants.header,
		platform: { signUp: tenants.platformSignUp },
		management: {
			keys: management.keys,
			userIds: management.userIds,
			roles: management.roles,
			transfer: management.transfer,
			...(management.impersonation ? { impersonation: management.impersonation } : {}),
			audit: auditOf(parts),
			...(config.console.enabled ? { authorize: authorizeInTenant(pool) } : {}),
		},
		...(config.pages.enabled ? tenantBranding : {}),
		transfer: { acceptsPasswordHash },
		tenantCache: { maxAge: tenants.cacheMaxAge },
		deletion: { drainTime: tenants.deletionDrainTime },
		oauth: {
			allowPrivateHosts: tenants.allowPrivateHosts,
			providerTimeout: tenants.providerTimeout,
			...(tenants.callbackHost === null ? {} : { callbackHost: tenants.callbackHost }),
		},
		verifyWithAllSecrets: config.secrets.verifiesWithAll,
		...(cache ? { sessionCache: cache.sessions } : {}),
		limits: {
			perTenant: limits.perTenant,
			perUser: limits.perUser,
			codesPerUser: limits.codesPerUser,
			shares: limits.shares,
			...(cache ? { counters: { increment: cache.increment, timeout: cache.timeout } } : {}),
			// the other endpoints keep the smaller bounds of the package
			bodies: { "/tenant/import-users": http.bodyLimit, "/scim/v2/*": http.bodyLimit },
		},
		hashing: tenants.hashingConcurrency === undefined ? {} : { concurrency: tenants.hashingConcurrency },
	};
};

/** Writes to the audit log, and keeps what the console shows. */
const auditOf =
	({ audit, logger, console: ofConsole }: OptionsWith) =>
	async (entry: AuditEntry): Promise<void> => {
		if (isOwnLookup(entry)) return;
		if (audit) await audit(entry);
		else logger.info({ audit: entry }, "management");
		await ofConsole?.keepEvent(entry);
	};

/** The server looks up a slug on every request. These entries are not the action of a user. */
const isOwnLookup = ({ action, actor }: AuditEntry): boolean => action === "tenant:get" && actor.kind === "server";
