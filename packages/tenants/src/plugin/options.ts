import { BetterAuthError } from "@better-auth/core/error";
import { checkKeys } from "../features/management/keys.ts";
import type { ManagementOptions } from "../features/management/management.ts";
import type { SessionCache } from "../features/session-cache/session-cache.ts";
import { isEngineHash } from "../features/transfer/user-line.ts";
import { defaultConcurrency } from "../lib/default-concurrency.ts";
import { readBodyBounds } from "../load/bounds/body-bounds.ts";
import type { HashingOptions } from "../load/hashing/bounded-hashing.ts";
import type { LimitsOptions } from "../load/limits/limits.ts";
import {
	aboveZero,
	impersonationMaxAge,
	limit,
	notNegative,
	positive,
	sessionsPerUser,
	shares,
} from "../load/limits/option-values.ts";
import type { ResolveTenantId } from "../resolve/hint.ts";
import { readHosts } from "../resolve/platform-hosts.ts";
import { isolateResolver } from "../scope/pin/isolated-resolver.ts";
import type { PlatformOptions } from "../scope/sessions/platform-access.ts";
import type { Tenant } from "../scope/tenants/tenant.ts";
import type { TenantBranding } from "../scope/tenants/tenant-profiles.ts";

/**
 * What the plugin knows about your database and requires of it.
 *
 * @example
 * ```ts
 * tenantAuth({ database: { client: db } }); // db: your Drizzle database or Prisma client
 * ```
 */
type DatabaseOptions = {
	/**
	 * The Drizzle database or Prisma client that you passed to Better Auth's adapter. The plugin uses it only to read the
	 * unique indexes that keep tenants apart. Not needed with Kysely or a database connection.
	 * @default undefined
	 */
	client?: object;
	/**
	 * Opens tenants although the plugin cannot read the unique indexes, for example with your own adapter. Compare them with
	 * docs/database.md first. A missing index locks users out, and an old one leaks.
	 * @default false
	 */
	trustIndexes?: boolean;
	/**
	 * Refuses to start on a database adapter without transactions, because a crash between two writes would leave a user
	 * without an account. Set it to `false` only if the database has no transactions, such as Cloudflare D1.
	 * @default true
	 */
	requireTransactions?: boolean;
};

/**
 * What the import of users accepts. `management.transfer` opens the import.
 *
 * @example
 * ```ts
 * tenantAuth({
 * 	management: { keys, transfer: true },
 * 	transfer: { acceptsPasswordHash: (hash) => hash.startsWith("$2b$") },
 * });
 * ```
 */
type TransferOptions = {
	/**
	 * Returns whether your `emailAndPassword.password.verify` can check a password against this hash. The import refuses a
	 * user with any other hash, because the user could not sign in.
	 * @default accepts the hashes that Better Auth creates
	 */
	acceptsPasswordHash?: (hash: string) => boolean;
};

/**
 * How long, and how many, tenants are remembered as existing. A miss costs one extra query.
 *
 * @example
 * ```ts
 * tenantAuth({ tenantCache: { maxAge: 30, maxSize: 50_000 } });
 * ```
 */
type TenantCacheOptions = {
	/**
	 * Seconds that an entry is used. A tenant that another process deletes is rejected after this time at the latest. A
	 * shorter time costs more queries: one per tenant, process and `maxAge`.
	 * @default 5
	 */
	maxAge?: number;
	/**
	 * The most tenants kept in the memory of one process.
	 * @default 10000
	 */
	maxSize?: number;
};

/**
 * How tenants are deleted. `POST /tenant/delete` closes the tenant, waits, and deletes its rows in batches.
 *
 * @example
 * ```ts
 * tenantAuth({ deletion: { drainTime: 0 } }); // in tests: a single process
 * ```
 */
type DeletionOptions = {
	/**
	 * Seconds between closing a tenant and the last sweep. `POST /tenant/delete` takes at least this long, unless no process
	 * has served the tenant. The default does not apply if the database has the triggers of `tenantTriggerSteps` and there is no
	 * secondary storage: then it does not wait. Use at least
	 * `tenantCache.maxAge` plus your longest request, so that no request that saw the tenant open writes after the sweep. 0
	 * does not wait: use it only with a single process and no load.
	 * @default 20: `tenantCache.maxAge`, plus the longer of `hashing.maxWait` and `oauth.providerTimeout`, plus 5
	 */
	drainTime?: number;
	/**
	 * Rows deleted in one statement. Larger batches hold locks and connections longer. Between two batches, the deletion
	 * pauses for as long as the last one took.
	 * @default 250
	 */
	batchSize?: number;
};

/**
 * How the server calls the OAuth providers that tenants configure.
 *
 * @example
 * ```ts
 * tenantAuth({ oauth: { providerTimeout: 5 } });
 * ```
 */
type OauthOptions = {
	/**
	 * Lets tenants configure providers on private, loopback and link-local addresses (`issuer`, `authority`, …). Your server
	 * then calls addresses in your network that tenant admins choose. Use it in tests, in networks in which every tenant admin
	 * is trusted, or if the only way out is a proxy that rejects private addresses: by default these calls use no proxy.
	 * @default false
	 */
	allowPrivateHosts?: boolean;
	/**
	 * A host of the platform that providers return to for all tenants. Register one redirect URI at the provider,
	 * `https://{callbackHost}/api/auth/tenant/shared-callback/google`, instead of one for each tenant's host. The server redeems
	 * the code there and sends the browser on to the tenant's host, with a code that works once, in that browser, for 60
	 * seconds. Requires a resolver that reads the host, with this host in its `platformHosts`. Serve no content of tenants on it.
	 *
	 * Costs two statements on verifications more per social sign-in, and one redirect. Servers that a tenant names in
	 * `options`, and configs with a `redirectURI`, keep their own URI.
	 * @default undefined: providers return to the host where the sign-in began
	 * @example
	 * ```ts
	 * tenantAuth({
	 * 	resolveTenantId: fromSubdomain({ domain: "app.example.com", platformHosts: ["auth.app.example.com"] }),
	 * 	oauth: { callbackHost: "auth.app.example.com" },
	 * });
	 * ```
	 */
	callbackHost?: string;
	/**
	 * Seconds that one sign-in may spend on all calls to its provider. Better Auth alone has no limit.
	 * @default 10
	 */
	providerTimeout?: number;
};

/**
 * Options of `tenantAuth()`. All are optional.
 *
 * @example
 * ```ts
 * betterAuth({
 * 	plugins: [
 * 		tenantAuth({
 * 			resolveTenantId: fromSubdomain({ domain: "app.example.com" }),
 * 			tenantHeader: false,
 * 			management: { keys: [process.env.MANAGEMENT_KEY ?? ""] },
 * 		}),
 * 	],
 * });
 * ```
 */
export type TenantAuthOptions = {
	/**
	 * Resolves the tenant of a request before body, query and header are read. Return nothing to let them decide. Runs on
	 * every request, so an own lookup in it costs one query per request unless you cache it. `tenants` in its argument finds
	 * tenants by slug and domain, cached. `better-auth-tenants/resolvers` has resolvers for subdomains, custom domains and
	 * paths.
	 * @default none
	 * @example
	 * ```ts
	 * tenantAuth({ resolveTenantId: ({ headers }) => headers?.get("x-organization") });
	 * ```
	 */
	resolveTenantId?: ResolveTenantId;
	/**
	 * The header that may name the tenant. `false` turns it off, for example if a proxy in front does not remove the header
	 * from requests.
	 * @default "x-tenant-id"
	 * @example
	 * ```ts
	 * tenantAuth({ tenantHeader: false });
	 * ```
	 */
	tenantHeader?: string | false;
	/**
	 * Who may manage tenants and their OAuth configs over HTTP. By default nobody. Server code may always: calls of `auth.api`
	 * with neither request nor headers.
	 */
	management?: ManagementOptions;
	/** Who may use the platform. With `resolveTenantId`, its sign-up is closed by default. */
	platform?: PlatformOptions;
	/** How long, and how many, tenants are remembered as existing. */
	tenantCache?: TenantCacheOptions;
	/** How tenants are deleted. */
	deletion?: DeletionOptions;
	/** How the server calls the OAuth providers that tenants configure. */
	oauth?: OauthOptions;
	/** Bounds password hashing, for tenants and the platform. */
	hashing?: HashingOptions;
	/** Rate limits per tenant and per user, in addition to Better Auth's limits per IP address. */
	limits?: LimitsOptions;
	/**
	 * What `/tenant/current` publishes about how a tenant looks. Anyone can read it, so choose the fields: everything else in
	 * `metadata` stays private. Values that are no strings are left out. Cached like tenants (`tenantCache`).
	 * @default publishes nothing
	 * @example
	 * ```ts
	 * tenantAuth({ branding: ({ metadata }) => ({ logo: String(metadata?.logo ?? "/logo.svg") }) });
	 * ```
	 */
	branding?: (tenant: Tenant) => TenantBranding | null | undefined;
	/**
	 * The name of a tenant in authenticator apps and passkeys. Colons, line breaks and invisible characters become spaces, and
	 * 64 bytes are kept. `issuer` of `twoFactor()` and `rpName` of `passkey()` win where Better Auth reads them.
	 * @default the tenant's `name`
	 * @example
	 * ```ts
	 * tenantAuth({ displayName: ({ name }) => `Example (${name})` });
	 * ```
	 */
	displayName?: (tenant: Tenant) => string;
	/**
	 * Slugs that no tenant may have, in addition to the built-in list (`www`, `api`, `admin`, …).
	 * @default []
	 * @example
	 * ```ts
	 * tenantAuth({ reservedSlugs: ["billing", "docs"] });
	 * ```
	 */
	reservedSlugs?: string[];
	/**
	 * Accepts cookies, bearer tokens and email links that any of Better Auth's `secrets`, or its `secret`, signed. The first
	 * of `secrets` signs. So a new secret signs nobody out: see docs/rotation.md. Set it to `false` if an older secret
	 * leaked and must still decrypt stored values: then only the first verifies and opens what callers send, and its change
	 * signs everybody out. Costs one HMAC for each signed cookie of a request while more than one secret is configured, else
	 * nothing.
	 * @default true
	 */
	verifyWithAllSecrets?: boolean;
	/**
	 * Keeps the password of a user, and every other way in, if another browser than the one that signed up verifies the email. By
	 * default they are removed, because somebody else may have signed up with the address and would still know the password.
	 * The user then chooses a password: see docs/guides/email-flows.md. Set it to `true` only if your own code does the same.
	 * @default false
	 */
	keepUnprovenPasswords?: boolean;
	/**
	 * Reads sessions from copies, for example in Redis, while nothing of their user has changed. Needs PostgreSQL and
	 * `sessionCacheSteps`. Sessions are in the database alone, so leave out `secondaryStorage`: whatever the copies' store loses or
	 * brings back, and while it does not respond, users are neither signed out nor back in.
	 * @default none
	 * @example
	 * ```ts
	 * const sessionCache = createSessionCache({ database, store });
	 * tenantAuth({ sessionCache });
	 * ```
	 */
	sessionCache?: SessionCache;
	/** What the import of users accepts. */
	transfer?: TransferOptions;
	/** What the plugin knows about your database and requires of it. */
	database?: DatabaseOptions;
};

const readCallbackHost = (host: string | undefined): string | null =>
	host === undefined ? null : (readHosts("tenantAuth: oauth.callbackHost", [host])[0] ?? null);

export type ResolvedOptions = ReturnType<typeof resolveOptions>;

/** Sets the defaults. Throws on unsafe options, with the option and the fix. */
export const resolveOptions = (options: TenantAuthOptions) => {
	const tenantHeader = options.tenantHeader ?? "x-tenant-id";
	if (tenantHeader !== false && !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(tenantHeader)) {
		throw new BetterAuthError(
			`tenantAuth: tenantHeader ${JSON.stringify(tenantHeader)} is not a header name. Use one such as "x-tenant-id", or false.`,
		);
	}
	checkKeys(options.management?.keys ?? []);
	if (options.management?.impersonation && typeof options.management.audit !== "function") {
		throw new BetterAuthError(
			"tenantAuth: management.impersonation requires management.audit. Set it to a function that stores its entries.",
		);
	}
	for (const path of options.management?.impersonation?.allow ?? []) {
		if (!/^\/[^*]+$/.test(path))
			throw new BetterAuthError(
				`tenantAuth: management.impersonation.allow ${JSON.stringify(path)} is not the path of an endpoint. Use paths such as "/organization/list".`,
			);
	}
	const maxAge = notNegative("tenantCache.maxAge", options.tenantCache?.maxAge ?? 5);
	const providerTimeout = aboveZero("oauth.providerTimeout", options.oauth?.providerTimeout ?? 10);
	const maxWait = aboveZero("hashing.maxWait", options.hashing?.maxWait ?? 10);
	const longestRequest = Math.max(maxWait, providerTimeout) + 5;
	const signIn = options.platform?.signIn ?? true;
	return {
		platform: { signIn, signUp: signIn && (options.platform?.signUp ?? options.resolveTenantId === undefined) },
		sources: { resolveTenantId: options.resolveTenantId && isolateResolver(options.resolveTenantId), tenantHeader },
		hosts: options.resolveTenantId?.hosts,
		management: options.management ?? {},
		impersonation: {
			maxAge: impersonationMaxAge(options.management?.impersonation?.maxAge),
			allow: options.management?.impersonation?.allow ?? [],
		},
		tenantCache: {
			maxAge,
			maxSize: positive("tenantCache.maxSize", options.tenantCache?.maxSize ?? 10_000),
		},
		deletion: readDeletion(options.deletion ?? {}, { maxAge, longestRequest }),
		callbackHost: readCallbackHost(options.oauth?.callbackHost),
		allowPrivateHosts: options.oauth?.allowPrivateHosts ?? false,
		providerTimeout,
		hashing: {
			concurrency: positive("hashing.concurrency", options.hashing?.concurrency ?? defaultConcurrency()),
			maxQueuePerTenant: positive("hashing.maxQueuePerTenant", options.hashing?.maxQueuePerTenant ?? 100),
			maxWait,
		},
		limits: {
			perTenant: limit("limits.perTenant", options.limits?.perTenant ?? false),
			perUser: limit("limits.perUser", options.limits?.perUser ?? { window: 600, max: 100 }),
			shares: shares(options.limits?.shares ?? {}),
			codesPerUser: limit("limits.codesPerUser", options.limits?.codesPerUser ?? { window: 86_400, max: 60 }),
		},
		counters: options.limits?.counters
			? {
					...options.limits.counters,
					timeout: aboveZero("limits.counters.timeout", options.limits.counters.timeout ?? 0.15),
				}
			: null,
		sessionsPerUser: sessionsPerUser(options.limits?.sessionsPerUser ?? 200),
		sizes: {
			fields: options.limits?.fields,
			bodies: readBodyBounds(options.limits?.bodies),
			storedValue:
				options.limits?.storedValue === undefined
					? undefined
					: positive("limits.storedValue", options.limits.storedValue),
		},
		reservedSlugs: [...(options.reservedSlugs ?? []), ...(options.resolveTenantId?.hosts?.reservedSlugs ?? [])],
		verifyWithAllSecrets: options.verifyWithAllSecrets ?? true,
		keepUnprovenPasswords: options.keepUnprovenPasswords ?? false,
		sessionCache: options.sessionCache ?? null,
		profile: { branding: options.branding, displayName: options.displayName },
		transfer: { acceptsPasswordHash: options.transfer?.acceptsPasswordHash ?? isEngineHash },
		database: {
			client: options.database?.client,
			trustIndexes: options.database?.trustIndexes ?? false,
			requireTransactions: options.database?.requireTransactions ?? true,
		},
	};
};

const readDeletion = (
	given: NonNullable<TenantAuthOptions["deletion"]>,
	{ maxAge, longestRequest }: { maxAge: number; longestRequest: number },
) => {
	const drainTime = notNegative("deletion.drainTime", given.drainTime ?? maxAge + longestRequest);
	if (drainTime > 0 && drainTime < maxAge) {
		throw new BetterAuthError(
			`tenantAuth: deletion.drainTime (${drainTime} s) is shorter than tenantCache.maxAge (${maxAge} s), so another process could still write into a tenant that is being deleted. Set it to ${maxAge} or more, or to 0 if there is only one process.`,
		);
	}
	return {
		drainTime,
		waitsAlways: given.drainTime !== undefined,
		batchSize: positive("deletion.batchSize", given.batchSize ?? 250),
	};
};
