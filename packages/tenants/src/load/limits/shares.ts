import type { GenericEndpointContext } from "@better-auth/core";
import type { SecondaryStorage } from "@better-auth/core/db";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { networkOf } from "../../engine/client-network.ts";
import { sha256Text } from "../../lib/sha256.ts";
import type { ScopedMethods } from "../../scope/data/adapter.ts";
import { VERIFICATION } from "../../scope/data/storage.ts";
import { definePart } from "../../scope/pin/request-record.ts";
import { carriesSignedToken } from "../../scope/sessions/session-credential.ts";
import { type CountInWindow, countInWindow, type Limit, type SharedCount } from "./count-in-window.ts";
import { refuseIfLate } from "./refuse.ts";
import type { Owner } from "./windows.ts";

/**
 * How much may be stored for a short time: verifications (codes, links, OAuth states, challenges), device codes, and counters
 * of users. Counted in kilobytes per hour, at least one for each request that stores something and for each user that it names.
 *
 * @example
 * ```ts
 * tenantAuth({ limits: { shares: { perNetwork: 50_000, perTenant: 500_000 } } });
 * ```
 */
export type SharesOptions = {
	/**
	 * Kilobytes per hour from one network, over all tenants: an IPv4 address or an IPv6 /56. Also how many codes one network may
	 * try in the window of `codesPerUser`. Raise it if many users sign in from one address.
	 * @default 10_000
	 */
	perNetwork?: number;
	/**
	 * Kilobytes per hour in one tenant, of users with a session, and the same again of strangers. Also how many passwords each of
	 * the two may try in the window of `perUser`.
	 * @default 50_000
	 */
	perTenant?: number;
};

export type Shares = Required<SharesOptions>;

type With = {
	shares: Shares | false;
	/** the limits whose counters live for their windows */
	perUser: Limit | false;
	codesPerUser: Limit | false;
	/** for counts of one tenant */
	scoped: SharedCount | undefined;
	/** for counts over all tenants */
	shared: SharedCount | undefined;
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

/** How many users a request names, for whom attempts are counted. */
type Named = {
	users: number;
	/** of these, the ones for whom it contains a code */
	codes: number;
};

/**
 * Bounds what tenants and strangers keep in tables and storage that all tenants share. A request that stores something is
 * charged by its size, before it is stored: to its network, and to its tenant.
 *
 * A request that names a user is charged when it begins, whether or not it will store something. Otherwise a full share would
 * tell a known email from an unknown one. It is also what bounds the counters of users: each name leaves some behind, and
 * anyone can invent names.
 */
export const createShares = ({ shares, perUser, codesPerUser, scoped, shared, isShortLived }: With) => {
	const countTenant = shares && countInWindow({ window: HOUR, max: shares.perTenant }, scoped);
	const countNetwork = shares && countInWindow({ window: HOUR, max: shares.perNetwork }, shared);
	// as long as the counters live, so that a share also bounds what is there at a time
	const countNames = shares && perUser && countInWindow({ window: perUser.window, max: shares.perTenant }, scoped);
	const countCodes =
		shares && codesPerUser && countInWindow({ window: codesPerUser.window, max: shares.perNetwork }, shared);
	const charging = definePart<{ charge: Charge | null }>(() => ({ charge: null }));

	const takeOfNetwork = async (
		ctx: GenericEndpointContext,
		count: CountInWindow | false,
		{ name, units }: { name: string; units: number },
	): Promise<void> => {
		const network = ctx.request && networkOf(ctx.request, ctx.context.options);
		if (!count || !network || units === 0) return;
		await take(count, { key: `${name}:${await sha256Text(network)}`, units, owner: { tenantId: "", network } });
	};
	const kindOf = async (ctx: GenericEndpointContext): Promise<string> =>
		(await carriesSignedToken(ctx)) ? "users" : "strangers";

	const createCharge = (ctx: GenericEndpointContext, tenantId: string, users: number): Charge => {
		let charged: Promise<void> | undefined;
		const run = async (): Promise<void> => {
			if (!countTenant || !ctx.request) return;
			const units = Math.max(users, Math.ceil((sizeOf(ctx.request, ctx.body) + OVERHEAD) / UNIT));
			// the network first, so that a stranger whose share is used up does not use up the tenant's
			await takeOfNetwork(ctx, countNetwork, { name: "share-network", units });
			const key = `share-${await kindOf(ctx)}:${tenantId}`;
			await take(countTenant, { key, units, owner: { tenantId, network: "" } });
		};
		return () => {
			charged ??= run();
			return charged;
		};
	};
	/**
	 * Charges for the counters of a password that is tried. Apart from the tenant's share: whoever uses that up with codes and
	 * links does not keep users with a password out.
	 */
	const chargePassword = async (ctx: GenericEndpointContext, tenantId: string, users: number): Promise<void> => {
		if (!countNames) return;
		await takeOfNetwork(ctx, countNetwork, { name: "share-network", units: users });
		const key = `share-names-${await kindOf(ctx)}:${tenantId}`;
		await take(countNames, { key, units: users, owner: { tenantId, network: "" } });
	};
	/** What a call of server code stores is the application's. */
	const chargeRunning = async (): Promise<void> => charging.peek()?.charge?.();

	return {
		before: async (ctx: GenericEndpointContext, tenantId: string, { users, codes }: Named): Promise<void> => {
			if (!shares || !ctx.request) return;
			// a request that is handed on to another endpoint is charged once for what it stores
			const charge = charging.peek()?.charge ?? createCharge(ctx, tenantId, users);
			const known = charging.now();
			if (known) known.charge = charge;
			if (users === 0) return;
			await (endpointOf(ctx.path).hashesPassword ? chargePassword(ctx, tenantId, users) : charge());
			await takeOfNetwork(ctx, countCodes, { name: "share-codes", units: codes });
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

type Taken = { key: string; units: number; owner: Owner };

/** The storage increments by one. A request has few units, because bodies are bounded. */
const take = async (count: CountInWindow, { key, units, owner }: Taken): Promise<void> => {
	const refusal = { code: "SHARE_EXCEEDED", owner } as const;
	await Promise.all(Array.from({ length: units }, () => refuseIfLate(count, key, refusal)));
};

/** The bytes that a caller sent and that may be stored: the URL, and the body as the endpoint received it. */
const sizeOf = ({ url }: Request, body: unknown): number =>
	url.length + (body === undefined || body === null ? 0 : utf8.encode(JSON.stringify(body)).length);
