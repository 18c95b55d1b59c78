import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { defineRequestState } from "@better-auth/core/context";
import type { SecondaryStorage } from "@better-auth/core/db";
import { APIError } from "@better-auth/core/error";
import { getIP } from "better-auth/api";
import { delegateOf } from "../engine/delegates.ts";
import { endpointOf } from "../engine/endpoints.ts";
import { peekState } from "../engine/request-state.ts";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { PLATFORM } from "../scope/platform.ts";
import { sha256Text } from "../sha256.ts";
import { type CountInWindow, countInWindow, type Limit } from "./count-in-window.ts";
import { namedUsers } from "./named-users.ts";

/**
 * Rate limits per tenant and per user, in addition to Better Auth's limits per IP address. They apply to HTTP requests, and
 * only where `rateLimit.enabled` is true. Counters are kept in the secondary storage, or in the process without one.
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
	 * Limits the requests of one tenant, from all IP addresses and to all paths except management endpoints and
	 * `/tenant/methods`. Requests above it return 429 `TOO_MANY_REQUESTS`. Other tenants are not affected. Every caller who
	 * names the tenant uses it up. Costs one increment in the secondary storage per request, if there is one.
	 * @default false
	 */
	perTenant?: Limit | false;
	/**
	 * Limits the requests that target one user of a tenant on one path, from all IP addresses. A request targets a user if it
	 * names their email, username or phone number, whether or not the user exists. So it bounds how many passwords are tried
	 * for a user and how many mails are sent to them. It also bounds the passwords tried with the session of a user. One IP
	 * address can use up a quarter of it. A caller who uses up all of it keeps the user from signing in until the window ends:
	 * keep `max` well above normal use. Costs two increments per name in the secondary storage, if there is one.
	 * @default { window: 600, max: 100 }
	 */
	perUser?: Limit | false;
};

type With = {
	limits: { perTenant: Limit | false; perUser: Limit | false };
	/** scoped to the tenant of the request */
	storage: SecondaryStorage | undefined;
};

/** A request and the users it targets. */
type Targeted = { tenantId: string; path: string; users: string[] };

/** The share of a user's limit that one IP address can use up, so that one address cannot lock a user out. */
const QUARTER = 4;

/** Counts the requests of a tenant and those that target one of its users. */
export const createLimits = ({ limits: { perTenant, perUser }, storage }: With) => {
	const countTenant = perTenant && countInWindow(perTenant, storage);
	const countUser = perUser && countInWindow(perUser, storage);
	const countAddress = perUser && countInWindow({ ...perUser, max: Math.ceil(perUser.max / QUARTER) }, storage);
	/** by path: a request that is delegated to another endpoint counts once */
	const counted = new WeakMap<Request, string>();
	/** the tenant of a request that names no user to sign in, but may still try a password */
	const unnamed = defineRequestState<string | null>(() => null);

	const countUsers = async (ctx: GenericEndpointContext, { tenantId, path, users }: Targeted): Promise<void> => {
		if (!countUser || !countAddress || !ctx.request) return;
		const { secret, options } = ctx.context;
		const address = getIP(ctx.request, options);
		for (const user of users) {
			// keys contain no email, and without the secret nobody can find out whose they are
			const key = await sha256Text([secret, tenantId, path, user].join("\n"));
			if (address) await refuseIfLate(countAddress, `address:${key}:${await sha256Text(address)}`);
			await refuseIfLate(countUser, `user:${key}`);
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
			if (countTenant && tenantId !== PLATFORM) await refuseIfLate(countTenant, `tenant:${tenantId}`);
			const users = namedUsers(ctx);
			await countUsers(ctx, { tenantId, path, users });
			// on other endpoints a name decides nothing: it would only hide whose password is tried
			if (countUser && !(users.length > 0 && endpointOf(path).hashesPassword)) await unnamed.set(tenantId);
		},
		/** Counts the passwords tried with the session of a user, by password hash. */
		countPasswords: (password: AuthContext["password"]): AuthContext["password"] => ({
			...password,
			verify: async (data) => {
				const tenantId = peekState(unnamed);
				if (countUser && tenantId)
					await refuseIfLate(countUser, `password:${await sha256Text(`${tenantId}\n${data.hash}`)}`);
				return password.verify(data);
			},
		}),
	};
};

/** Session tokens are looked up in the same storage, and none contains a dot. */
const PREFIX = "limit.";

/** Counts one request. Throws 429 above the limit, and 503 if it cannot be counted. */
export const refuseIfLate = async (count: CountInWindow, key: string): Promise<void> => {
	const seconds = await count(`${PREFIX}${key}`).catch(() => {
		throw refusal("SERVICE_UNAVAILABLE", "STORE_UNAVAILABLE", 1);
	});
	if (seconds > 0) throw refusal("TOO_MANY_REQUESTS", "TOO_MANY_REQUESTS", seconds);
};

const refusal = (
	status: "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS",
	code: "STORE_UNAVAILABLE" | "TOO_MANY_REQUESTS",
	seconds: number,
): APIError =>
	new APIError(status, TENANT_AUTH_ERROR_CODES[code], {
		"cache-control": "no-store",
		"retry-after": String(seconds),
		// the engine's own header, which its client reads
		"x-retry-after": String(seconds),
	});
