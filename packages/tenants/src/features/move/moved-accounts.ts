import type { OAuthProvider } from "@better-auth/core/oauth2";
import { MOVE_COLLISIONS } from "../../errors/move-error-codes.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { type Authority, accountIdOf, isAccountOf } from "../oauth/account-authority.ts";
import { buildFallback, GLOBAL_CREDENTIALS, type TenantProvider } from "../oauth/build-provider.ts";
import type { TenantProviders } from "../oauth/tenant-providers.ts";
import { collide, type MoveCollision } from "./collision.ts";
import type { MovingRow } from "./moving-rows.ts";

type AccountsWith = {
	providers: Pick<TenantProviders, "load">;
	globalProviders: () => OAuthProvider[];
	genericAuthority: (providerId: string) => Authority;
	/** whether the SIWE plugin is installed; a wallet's account id means the same everywhere */
	hasWallets: boolean;
};

export type AccountMove = {
	/** Changes to the account's columns. `keepsTokens` says whether its provider tokens can be used in the target. */
	move: (account: MovingRow) => Promise<{ accountId: string; keepsTokens: boolean } | MoveCollision>;
};

/** Marks the authority of an account id (see oauth/authority.ts). */
const MARK = /@[0-9a-f]{32}$/i;

/**
 * Translates account ids from one tenant to another. On the platform, an account id is the provider's subject. In a
 * tenant, it also contains the server that issued it. An id that is copied between the two could name another user of
 * another server.
 */
export const createAccountMoves = ({ providers, globalProviders, genericAuthority, hasWallets }: AccountsWith) => {
	const providersOf = async (tenantId: string): Promise<TenantProvider[]> => {
		const global = globalProviders();
		// another process may have changed the tenant's configs
		if (tenantId !== PLATFORM) return providers.load(tenantId, global, { fresh: true });
		return global.map((provider) => buildFallback(provider, genericAuthority(provider.id)));
	};

	return async (from: string, to: string): Promise<AccountMove> => {
		const [before, after] = [await providersOf(from), await providersOf(to)];
		const move: AccountMove["move"] = async ({ row, userId }) => {
			const [providerId, accountId] = [String(row.providerId), String(row.accountId)];
			if (providerId === "credential" || (hasWallets && providerId === "siwe")) return { accountId, keepsTokens: true };
			const source = before.find(({ id }) => id === providerId);
			const target = after.find(({ id }) => id === providerId);
			const moved = target && (await translate(accountId, { from, to, source, target }));
			if (!moved)
				return collide(userId, MOVE_COLLISIONS.ACCOUNT_NOT_ACCEPTED, { table: "account", field: "accountId" });
			const isGlobal = (provider: TenantProvider | undefined) => provider?.credentialSource === GLOBAL_CREDENTIALS;
			return { accountId: moved, keepsTokens: isGlobal(source) && isGlobal(target) };
		};
		return { move };
	};
};

type Translation = { from: string; to: string; source: TenantProvider | undefined; target: TenantProvider };

/** The account id in the target. Null if the target's server did not issue it, or if a tenant runs that server. */
const translate = async (accountId: string, { from, to, source, target }: Translation): Promise<string | null> => {
	if (target.isOwnServer) return null;
	const { authority } = target;
	if (from === PLATFORM) {
		// the platform's ids do not say which server issued them, so the provider must still be configured
		if (!source || source.authority !== authority || MARK.test(accountId)) return null;
		return accountIdOf(accountId, authority);
	}
	if (!(await isAccountOf(accountId, authority))) return null;
	return to === PLATFORM && authority !== null ? accountId.replace(MARK, "") : accountId;
};
