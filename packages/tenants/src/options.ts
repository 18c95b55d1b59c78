import { BetterAuthError } from "@better-auth/core/error";
import type { HashingOptions } from "./hashing/bounded-hashing.ts";
import { defaultConcurrency } from "./hashing/default-concurrency.ts";
import type { Limit } from "./limits/count-in-window.ts";
import type { LimitsOptions } from "./limits/limits.ts";
import type { ManagementOptions } from "./management/management.ts";
import type { ResolveTenantId } from "./resolve/hint.ts";
import { isolateResolver } from "./scope/isolated-resolver.ts";
import { isEngineHash } from "./transfer/user-line.ts";

/**
 * What the plugin knows about your database and requires of it.
 *
 * @example
 * ```ts
 * tenantAuth({ database: { client: db } }); // db: your Drizzle database or Prisma client
 * ```
 */
export type DatabaseOptions = {
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
export type TransferOptions = {
	/**
	 * Returns whether your `emailAndPassword.password.verify` can check a password against this hash. The import refuses a
	 * user with any other hash, because the user could not sign in.
	 * @default accepts the hashes that Better Auth creates
	 */
	acceptsPasswordHash?: (hash: string) => boolean;
};

export type TenantAuthOptions = {
	/**
	 * Says which tenant a request is for, before body, query and header are asked. Answer nothing to let them decide.
	 * Ready-made ones (subdomain, custom domain, path): `better-auth-tenants/resolvers`.
	 */
	resolveTenantId?: ResolveTenantId;
	/**
	 * The header that may name the tenant; `false` turns this source off, for instance where a proxy in front does not
	 * strip the header from outside requests.
	 * @default "x-tenant-id"
	 */
	tenantHeader?: string | false;
	/**
	 * Who may manage tenants and their OAuth configs over HTTP. Nobody, unless you say so. Calls of `auth.api` with
	 * neither request nor headers are your own server code and always may.
	 */
	management?: ManagementOptions;
	/** How long and how many tenants are remembered as existing. A colder cache costs one query more for a request. */
	tenantCache?: {
		/**
		 * Seconds. A tenant deleted by another process is refused after this time at the latest.
		 * @default 5
		 */
		maxAge?: number;
		/** @default 10000 */
		maxSize?: number;
	};
	deletion?: {
		/**
		 * Seconds between closing a tenant and the last sweep: at least `tenantCache.maxAge` plus your longest request, so that
		 * nobody who saw the tenant open writes after it. `POST /tenant/delete` takes at least this long. 0 does not wait: for a
		 * single process under no load.
		 * @default 20: `tenantCache.maxAge`, the longer of `hashing.maxWait` and `oauth.providerTimeout`, and 5 more
		 */
		gracePeriod?: number;
		/**
		 * Rows deleted in one statement. Larger ones hold locks and connections longer. Between two of them the deletion rests
		 * for as long as the last one took.
		 * @default 250
		 */
		batchSize?: number;
	};
	oauth?: {
		/**
		 * Lets tenants name providers on private, loopback and link-local addresses (`issuer`, `authority`, …). For tests
		 * and for networks in which every tenant admin is trusted: it lets them make your server call inside addresses. Also
		 * for a server whose only way out is a proxy that refuses inside addresses: by default these calls use no proxy.
		 * @default false
		 */
		allowPrivateHosts?: boolean;
		/**
		 * Seconds that a sign-in may spend on calls to its provider, all together. The engine itself waits for ever.
		 * @default 10
		 */
		providerTimeout?: number;
	};
	/**
	 * Bounds the hashing of passwords, which is slow on purpose: tenants take turns, and what waits too long is shed. Holds
	 * for the platform too.
	 */
	hashing?: HashingOptions;
	/** What a tenant may send, and how often somebody may be tried at, beside the engine's limits by address. */
	limits?: LimitsOptions;
	/** Slugs that no tenant may have, besides the built-in list (www, api, admin, …). */
	reservedSlugs?: string[];
	/** What the import of users accepts. */
	transfer?: TransferOptions;
	/** What the plugin knows about your database and requires of it. */
	database?: DatabaseOptions;
};

export type ResolvedOptions = ReturnType<typeof resolveOptions>;

/** Fills in the defaults and refuses what would not be safe, naming the option and the mend. */
export const resolveOptions = (options: TenantAuthOptions) => {
	const tenantHeader = options.tenantHeader ?? "x-tenant-id";
	if (tenantHeader !== false && !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(tenantHeader)) {
		throw new BetterAuthError(
			`tenantAuth: tenantHeader ${JSON.stringify(tenantHeader)} is not a header name. Give one such as "x-tenant-id", or false.`,
		);
	}
	for (const key of options.management?.keys ?? []) {
		if (typeof key !== "string" || key.length < 32) {
			throw new BetterAuthError(
				"tenantAuth: each of management.keys needs at least 32 characters. Make one with `openssl rand -base64 32`.",
			);
		}
	}
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
	const providerTimeout = moreThanNothing("oauth.providerTimeout", options.oauth?.providerTimeout ?? 10);
	const maxWait = moreThanNothing("hashing.maxWait", options.hashing?.maxWait ?? 10);
	const longestRequest = Math.max(maxWait, providerTimeout) + 5;
	const gracePeriod = notNegative("deletion.gracePeriod", options.deletion?.gracePeriod ?? maxAge + longestRequest);
	if (gracePeriod > 0 && gracePeriod < maxAge) {
		throw new BetterAuthError(
			`tenantAuth: deletion.gracePeriod (${gracePeriod} s) is shorter than tenantCache.maxAge (${maxAge} s), so another process could still write into a tenant that is being deleted. Make it longer, or 0 where there is one process only.`,
		);
	}
	return {
		sources: { resolveTenantId: options.resolveTenantId && isolateResolver(options.resolveTenantId), tenantHeader },
		management: options.management ?? {},
		impersonation: {
			maxAge: impersonationMaxAge(options.management?.impersonation?.maxAge),
			allow: options.management?.impersonation?.allow ?? [],
		},
		tenantCache: {
			maxAge,
			maxSize: positive("tenantCache.maxSize", options.tenantCache?.maxSize ?? 10_000),
		},
		deletion: {
			gracePeriod,
			batchSize: positive("deletion.batchSize", options.deletion?.batchSize ?? 250),
		},
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
		},
		reservedSlugs: options.reservedSlugs ?? [],
		transfer: { acceptsPasswordHash: options.transfer?.acceptsPasswordHash ?? isEngineHash },
		database: {
			client: options.database?.client,
			trustIndexes: options.database?.trustIndexes ?? false,
			requireTransactions: options.database?.requireTransactions ?? true,
		},
	};
};

const notNegative = (name: string, value: number): number => {
	if (!Number.isFinite(value) || value < 0)
		throw new BetterAuthError(`tenantAuth: ${name} must be a number of seconds, 0 or more.`);
	return value;
};

const moreThanNothing = (name: string, value: number): number => {
	if (!Number.isFinite(value) || value <= 0)
		throw new BetterAuthError(`tenantAuth: ${name} must be a number of seconds above 0.`);
	return value;
};

const limit = (name: string, value: Limit | false): Limit | false =>
	value && { window: positive(`${name}.window`, value.window), max: positive(`${name}.max`, value.max) };

/** Bounded, so that a longer impersonation leaves more than one audit entry. */
const impersonationMaxAge = (value = 900): number => {
	if (!Number.isInteger(value) || value < 1 || value > 3600)
		throw new BetterAuthError(
			"tenantAuth: management.impersonation.maxAge must be a whole number of seconds, 1 to 3600.",
		);
	return value;
};

const positive = (name: string, value: number): number => {
	if (!Number.isInteger(value) || value < 1)
		throw new BetterAuthError(`tenantAuth: ${name} must be a whole number, 1 or more.`);
	return value;
};
