import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Account, Session } from "@better-auth/core/db";
import type { UserRow } from "../users/user.ts";

/**
 * What a user signs in with, and where they are signed in.
 *
 * @example
 * ```ts
 * const isSignedIn = ({ sessions }: TenantUserDetails) => sessions.length > 0;
 * ```
 */
export type TenantUserDetails = {
	/** The accounts to sign in with. `credential` is a password. */
	accounts: { id: string; providerId: string; accountId: string; createdAt: Date }[];
	/** The sessions that are not expired. `impersonated` is set if an operator or an admin created it. */
	sessions: {
		/** The id of the session. It is not its token. */
		id: string;
		/** When the user signed in. */
		createdAt: Date;
		/** When the session ends. */
		expiresAt: Date;
		/** The address of the sign-in. */
		ipAddress: string | null;
		/** The browser of the sign-in. */
		userAgent: string | null;
		/** Whether an operator or an admin created it, to act as the user. */
		impersonated: boolean;
	}[];
	/** The second factors that the user has. */
	secondFactors: "totp"[];
};

/** Finds the accounts, sessions and second factors of a user of the current tenant. */
export const findUserDetails = async (ctx: GenericEndpointContext, user: UserRow): Promise<TenantUserDetails> => {
	const { internalAdapter } = ctx.context;
	const accounts: Account[] = await internalAdapter.findAccounts(user.id);
	const sessions: Session[] = await internalAdapter.listSessions(user.id, { onlyActiveSessions: true });
	return {
		accounts: accounts.map(({ id, providerId, accountId, createdAt }) => ({ id, providerId, accountId, createdAt })),
		sessions: sessions.map(showSession),
		secondFactors: (await hasTotp(ctx, user)) ? ["totp"] : [],
	};
};

const showSession = (session: Session & { impersonatedBy?: unknown; operatorId?: unknown }) => ({
	id: session.id,
	createdAt: session.createdAt,
	expiresAt: session.expiresAt,
	ipAddress: session.ipAddress || null,
	userAgent: session.userAgent || null,
	impersonated: session.impersonatedBy != null || session.operatorId != null,
});

const hasTotp = async ({ context }: GenericEndpointContext, user: UserRow): Promise<boolean> => {
	if (!("twoFactor" in context.tables)) return false;
	const adapter = await getCurrentAdapter(context.adapter);
	return (await adapter.count({ model: "twoFactor", where: [{ field: "userId", value: user.id }] })) > 0;
};
