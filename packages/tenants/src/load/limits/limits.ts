import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { delegateOf } from "../../endpoints/delegates.ts";
import type { NameField } from "../../endpoints/endpoint.ts";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { networkOf } from "../../engine/client-network.ts";
import { sha256Text } from "../../lib/sha256.ts";
import type { ScopedMethods } from "../../scope/data/adapter.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { definePart } from "../../scope/pin/request-record.ts";
import { createCodeGuesses } from "./code-guesses.ts";
import { countInWindow, type Limit, type SharedCount } from "./count-in-window.ts";
import { refuseIfLate } from "./refuse.ts";
import type { CountersOptions } from "./shared-count.ts";
import { createShares, type Shares, type SharesOptions } from "./shares.ts";
import { createTenantRequests } from "./tenant-requests.ts";

/**
 * Rate limits per tenant and per user, in addition to Better Auth's limits per IP address. They apply to HTTP requests, and
 * only where `rateLimit.enabled` is true. Processes count together in `counters` or the secondary storage, and apart without either.
 *
 * @example
 * ```ts
 * tenantAuth({
 * 	limits: { perTenant: { window: 10, max: 1_000 }, perUser: { window: 600, max: 50 } },
 * });
 * ```
 */
export type LimitsOptions = {
	/**
	 * Where processes count together, for example in Redis. Without it, they count in the secondary storage, or each process for
	 * itself. Also counts for Better Auth's own limits, unless those have a storage. Each process counts as well, and its count
	 * decides while the other one fails or takes longer than `timeout`.
	 * @default none
	 * @example
	 * ```ts
	 * const counter = redisStorage({ client, keyPrefix: "counter:" });
	 * tenantAuth({ limits: { counters: { increment: counter.increment } } });
	 * ```
	 */
	counters?: CountersOptions;
	/**
	 * Limits the requests of one tenant, from all IP addresses and to all paths except management endpoints and
	 * `/tenant/methods`. Requests above it return 429 `TOO_MANY_REQUESTS`. Other tenants are not affected. Signed-in users and
	 * strangers are counted separately, each up to `max`, and one IP address can use up a quarter of the strangers' limit.
	 * Where processes count together, it costs one increment per request of a user and two per request of a stranger.
	 * @default false
	 */
	perTenant?: Limit | false;
	/**
	 * Limits the requests that target one user of a tenant on one path, from all IP addresses. A request targets a user if it
	 * names their email, username or phone number, whether or not the user exists. So it bounds how many passwords are tried
	 * for a user and how many mails are sent to them. It also bounds the passwords tried with the session of a user. One IP
	 * address can use up a quarter of it. A caller who uses up all of it keeps the user from signing in until the window ends:
	 * keep `max` well above normal use. Where processes count together, it costs two increments per name.
	 * @default { window: 600, max: 100 }
	 */
	perUser?: Limit | false;
	/**
	 * Limits the codes that are tried for one user of a tenant: one-time passwords in emails and text messages, codes of
	 * authenticator apps and backup codes, on all endpoints together and from all IP addresses. Right codes count too. Above
	 * it, codes for this user return 429 `TOO_MANY_CODES`. Passwords, links, passkeys and social sign-ins still work. One IP
	 * address can use up a quarter of it. Where processes count together, it costs two increments per code.
	 * @default { window: 86_400, max: 60 }
	 */
	codesPerUser?: Limit | false;
	/**
	 * Limits what is stored for a short time from one network and in one tenant: codes, links, OAuth states, challenges,
	 * device codes, and the counters of `perUser` and `codesPerUser`. Above it, requests that would store something return 429
	 * `SHARE_EXCEEDED`. Other networks and tenants are not affected. Where processes count together, it costs two increments per
	 * kilobyte of such a request, two for a sign-in with a password, one more for a code, and nothing for others.
	 * @default { perNetwork: 10_000, perTenant: 50_000 }
	 */
	shares?: SharesOptions | false;
	/**
	 * The most sessions of one user, in a tenant or on the platform. With one more, the session ends that was created or renewed the
	 * longest ago, never the new one. Sessions in which an operator or an administrator acts as the user are counted apart, up to
	 * the same number. At most 1000. Also applies to server code, and where `rateLimit.enabled` is false.
	 *
	 * With secondary storage, the limit is exact once no sign-ins of the user run at the same time.
	 * Without, each process looks after every tenth part of the limit: a user has at most `sessionsPerUser` sessions and a tenth more
	 * per process, and each such sign-in, here every 20th of a user, costs one query, and two more if sessions end.
	 * @default 200
	 * @example
	 * ```ts
	 * tenantAuth({ limits: { sessionsPerUser: 20 } });
	 * ```
	 */
	sessionsPerUser?: number | false;
	/**
	 * The most characters of fields, by table and field of Better Auth's schema. A longer value returns 400 `FIELD_TOO_LONG`,
	 * for tenants and the platform. Lists and JSON count as JSON text. A value must fit into its body as well, see `bodies`.
	 * @default 255 for fields with an index, 2048 for other text, 16384 for lists and JSON; see docs/limits.md for the exceptions
	 * @example
	 * ```ts
	 * tenantAuth({ limits: { fields: { user: { image: 32_768 } }, bodies: { "/update-user": 65_536 } } });
	 * ```
	 */
	fields?: Record<string, Record<string, number>>;
	/**
	 * The most bytes of a body, by the path of the endpoint. `*` matches any text, and the first match counts. A larger body
	 * returns 413 `BODY_TOO_LARGE` before it is parsed.
	 * @default 16384; more for imports, SCIM, SAML, webhooks and settings of tenants, see docs/limits.md
	 * @example
	 * ```ts
	 * tenantAuth({ limits: { bodies: { "/tenant/import-users": 4_194_304 } } });
	 * ```
	 */
	bodies?: Record<string, number>;
	/**
	 * The most characters of one value in the secondary storage. Set it if one of your plugins stores more. It does not apply
	 * to verifications, which have the bounds of their fields, and to lists of sessions and API keys.
	 * @default 65536, or twice the characters of a user and a session if that is more
	 */
	storedValue?: number;
};

type With = {
	limits: { perTenant: Limit | false; perUser: Limit | false; codesPerUser: Limit | false; shares: Shares | false };
	/** for counts of the tenant of the request */
	scoped: SharedCount | undefined;
	/** for counts over all tenants */
	shared: SharedCount | undefined;
	/** the table of second factors */
	isFactors: (model: string) => boolean;
	/** the tables of what is stored for a short time, also for strangers */
	isShortLived: (model: string) => boolean;
};

/** A request and the users it targets. */
type Targeted = { tenantId: string; path: string; users: string[] };

/** The share of a user's limit that one IP address can use up, so that one address cannot lock a user out. */
const QUARTER = 4;

/** Counts the requests of a tenant and those that target one of its users. */
export const createLimits = ({ limits, scoped, shared, isFactors, isShortLived }: With) => {
	const { perTenant, perUser, codesPerUser } = limits;
	const countTenant = createTenantRequests("tenant", scoped);
	const countUser = perUser && countInWindow(perUser, scoped);
	const countAddress = perUser && countInWindow({ ...perUser, max: Math.ceil(perUser.max / QUARTER) }, scoped);
	const codes = createCodeGuesses({ limit: codesPerUser, part: QUARTER, shared: scoped, isFactors });
	const shares = createShares({
		shares: limits.shares,
		perUser,
		codesPerUser,
		scoped,
		shared,
		isShortLived,
	});
	/** by path: a request that is delegated to another endpoint counts once */
	const counted = new WeakMap<Request, string>();
	/** the tenant of a request that names no user to sign in, but may still try a password */
	const unnamed = definePart<{ tenantId: string | null }>(() => ({ tenantId: null }));

	const countUsers = async (ctx: GenericEndpointContext, { tenantId, path, users }: Targeted): Promise<void> => {
		if (!countUser || !countAddress || !ctx.request) return;
		const { secret, options } = ctx.context;
		const address = networkOf(ctx.request, options);
		const owner = { tenantId, network: address ?? "" };
		for (const user of users) {
			// keys contain no email, and without the secret nobody can find out whose they are
			const key = await sha256Text([secret, tenantId, path, user].join("\n"));
			if (address) await refuseIfLate(countAddress, `address:${await sha256Text(`${key}\n${address}`)}`, { owner });
			await refuseIfLate(countUser, `user:${key}`, { owner });
		}
	};

	return {
		/** Counts a request when its tenant is known. Throws above the limit. */
		countRequest: async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
			if (!ctx.request || !ctx.context.rateLimit.enabled || endpointOf(ctx.path).kind === "management") return;
			const path = delegateOf(ctx.path ?? "");
			if (counted.get(ctx.request) === path) return;
			counted.set(ctx.request, path);
			// the platform is not a tenant, but has users
			if (perTenant && tenantId !== PLATFORM) await countTenant(ctx, tenantId, perTenant);
			const { namesUsers, takesCode, hashesPassword } = endpointOf(path);
			const users = namedUsers(ctx, namesUsers);
			const guessedAt = takesCode && codes.isGuess(ctx) ? users : [];
			// before the counters of the users, which are kept in the same storage: anyone can invent names
			await shares.before(ctx, tenantId, { users: users.length, codes: guessedAt.length });
			await countUsers(ctx, { tenantId, path, users });
			await codes.before(ctx, tenantId, guessedAt);
			// on other endpoints a name decides nothing: it would only hide whose password is tried
			const known = countUser && !(users.length > 0 && hashesPassword) && unnamed.now();
			if (known) known.tenantId = tenantId;
		},
		/** Counts what a request does in the database. */
		guardRows: (methods: ScopedMethods): ScopedMethods => shares.guardRows(codes.countFactors(methods)),
		guardStorage: shares.guardStorage,
		/** Counts the passwords tried with the session of a user, by password hash. */
		countPasswords: (password: AuthContext["password"]): AuthContext["password"] => ({
			...password,
			verify: async (data) => {
				const tenantId = unnamed.peek()?.tenantId;
				if (countUser && tenantId)
					await refuseIfLate(countUser, `password:${await sha256Text(`${tenantId}\n${data.hash}`)}`, {
						owner: { tenantId, network: "" },
					});
				return password.verify(data);
			},
		}),
	};
};

/** What the fields are: an email, a username or a phone number. */
const NAMES = { email: "email", newEmail: "email", username: "username", phoneNumber: "phone" } as const;

/**
 * The users that a request names in those fields of its body that its endpoint reads. Values that are the same user to the
 * engine are returned once.
 */
const namedUsers = (ctx: GenericEndpointContext, fields: readonly NameField[]): string[] => {
	const body: unknown = ctx.body;
	if (typeof body !== "object" || body === null) return [];
	const users = fields.flatMap((field) => {
		const value = (body as Record<string, unknown>)[field];
		if (typeof value !== "string") return [];
		const kind = NAMES[field];
		const name = kind === "username" ? foldUsername(ctx, value) : value;
		return [`${kind}:${name.normalize("NFKC").trim().toLowerCase()}`];
	});
	return [...new Set(users)];
};

/** Normalizes a username with the plugin's own option. An application may ignore more than upper and lower case. */
const foldUsername = ({ context }: GenericEndpointContext, value: string): string => {
	const options: unknown = context.getPlugin("username")?.options;
	if (typeof options !== "object" || options === null || !("usernameNormalization" in options)) return value;
	if (typeof options.usernameNormalization !== "function") return value;
	try {
		const folded: unknown = options.usernameNormalization(value);
		return typeof folded === "string" ? folded : value;
	} catch {
		// the engine reports the error
		return value;
	}
};
