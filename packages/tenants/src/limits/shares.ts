import type { GenericEndpointContext } from "@better-auth/core";
import { defineRequestState } from "@better-auth/core/context";
import type { SecondaryStorage } from "@better-auth/core/db";
import { networkOf } from "../engine/client-network.ts";
import { endpointOf } from "../engine/endpoints.ts";
import { peekState } from "../engine/request-state.ts";
import type { ScopedMethods } from "../scope/adapter.ts";
import { carriesSignedToken } from "../scope/session-credential.ts";
import { VERIFICATION } from "../scope/storage.ts";
import { sha256Text } from "../sha256.ts";
import { type CountInWindow, countInWindow } from "./count-in-window.ts";
import { refuseIfLate } from "./refuse.ts";

/**
 * How much may be stored for a short time: verifications (codes, links, OAuth states, challenges) and device codes. Counted in
 * kilobytes per hour, at least one for each request that stores something.
 *
 * @example
 * ```ts
 * tenantAuth({ limits: { shares: { perNetwork: 50_000, perTenant: 500_000 } } });
 * ```
 */
export type SharesOptions = {
	/**
	 * Kilobytes per hour from one network, over all tenants: an IPv4 address or an IPv6 /56. Raise it if many users sign in
	 * from one address.
	 * @default 10_000
	 */
	perNetwork?: number;
	/**
	 * Kilobytes per hour in one tenant, of users with a session, and the same again of strangers.
	 * @default 50_000
	 */
	perTenant?: number;
};

export type Shares = Required<SharesOptions>;

type With = {
	shares: Shares | false;
	/** for counts of one tenant */
	scoped: SecondaryStorage | undefined;
	/** for counts over all tenants */
	shared: SecondaryStorage | undefined;
	isShortLived: (model: string) => boolean;
};

const utf8 = new TextEncoder();

const HOUR = 3_600;
/** Bytes of a unit. */
const UNIT = 1_024;
/** What a row or a key takes besides what the caller sent: ids, dates, indexes. */
const OVERHEAD = 512;

/** Charges the running request, once. */
type Charge = () => Promise<void>;

/**
 * Bounds what tenants and strangers keep in tables and storage that all tenants share. A request that stores something is
 * charged by its size, before it is stored: to its network, and to its tenant.
 *
 * A request that names a user is charged when it begins, whether or not it will store something. Otherwise a full share would
 * tell a known email from an unknown one.
 */
export const createShares = ({ shares, scoped, shared, isShortLived }: With) => {
	const countTenant = shares && countInWindow({ window: HOUR, max: shares.perTenant }, scoped);
	const countNetwork = shares && countInWindow({ window: HOUR, max: shares.perNetwork }, shared);
	const charging = defineRequestState<Charge | null>(() => null);

	const createCharge = (ctx: GenericEndpointContext, tenantId: string): Charge => {
		let charged: Promise<void> | undefined;
		const run = async (): Promise<void> => {
			if (!countTenant || !countNetwork || !ctx.request) return;
			const units = Math.ceil((sizeOf(ctx.request, ctx.body) + OVERHEAD) / UNIT);
			const network = networkOf(ctx.request, ctx.context.options);
			// the network first, so that a stranger whose share is used up does not use up the tenant's
			if (network) await take(countNetwork, `share-network:${await sha256Text(network)}`, units);
			const kind = (await carriesSignedToken(ctx)) ? "users" : "strangers";
			await take(countTenant, `share-${kind}:${tenantId}`, units);
		};
		return () => {
			charged ??= run();
			return charged;
		};
	};
	/** What a call of server code stores is the application's. */
	const chargeRunning = async (): Promise<void> => peekState(charging)?.();

	return {
		before: async (ctx: GenericEndpointContext, tenantId: string, users: string[]): Promise<void> => {
			// a request that is handed on to another endpoint is charged once
			if (!shares || !ctx.request || peekState(charging)) return;
			const charge = createCharge(ctx, tenantId);
			await charging.set(charge);
			if (users.length > 0 && !endpointOf(ctx.path).hashesPassword) await charge();
		},
		guardRows: (methods: ScopedMethods): ScopedMethods => ({
			...methods,
			create: async (query) => {
				if (isShortLived(query.model)) await chargeRunning();
				return methods.create(query);
			},
		}),
		guardStorage: (storage: SecondaryStorage): SecondaryStorage => ({
			...storage,
			set: async (key, value, ttl) => {
				if (key.startsWith(VERIFICATION)) await chargeRunning();
				return storage.set(key, value, ttl);
			},
		}),
	};
};

/** The storage increments by one. A request has few units, because bodies are bounded. */
const take = async (count: CountInWindow, key: string, units: number): Promise<void> => {
	await Promise.all(Array.from({ length: units }, () => refuseIfLate(count, key, "SHARE_EXCEEDED")));
};

/** The bytes that a caller sent and that may be stored: the URL, and the body as the endpoint received it. */
const sizeOf = ({ url }: Request, body: unknown): number =>
	url.length + (body === undefined || body === null ? 0 : utf8.encode(JSON.stringify(body)).length);
