import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { claimVerifications } from "../move/claimed-verifications.ts";
import { verificationEndOf } from "../move/end-verifications.ts";
import { deleteWaysIn, ssoProviderIds } from "../unproven/ways-in.ts";
import { INVITATION_ERROR_CODES } from "./error-codes.ts";

type Owner = { id: string; email: string };

/**
 * Throws unless the password is the user's. A user without one has nothing to prove. Better Auth's link that verifies an address
 * keeps the password of whoever signed up with it, so a session alone does not show that nobody else knows it.
 */
export const assertKnowsPassword = async (
	{ context }: GenericEndpointContext,
	userId: string,
	password: string | undefined,
): Promise<void> => {
	const hash = (await context.internalAdapter.findAccounts(userId)).find(isCredential)?.password;
	if (!hash || (password !== undefined && (await context.password.verify({ hash, password })))) return;
	throw APIError.from("FORBIDDEN", INVITATION_ERROR_CODES.INVITATION_PASSWORD_REQUIRED);
};

/**
 * Deletes what could sign somebody else in as this user: passkeys, API keys, wallets, tokens of OAuth clients and, if the user
 * has a password, linked accounts. Accounts of the tenant's SSO providers stay, because the tenant decides who they are. For a
 * transaction.
 */
export const revokeWaysIn = async (ctx: GenericEndpointContext, userId: string): Promise<void> => {
	const { internalAdapter } = ctx.context;
	await deleteWaysIn(ctx, userId);
	const accounts = await internalAdapter.findAccounts(userId);
	const hasPassword = accounts.some((account) => isCredential(account) && account.password);
	for (const account of accounts) {
		// its wallet is gone, and it would keep the wallet from signing up again
		const isWallet = account.providerId === "siwe";
		const ends = isWallet || (hasPassword && !isCredential(account) && !(await isSso(ctx, account.providerId)));
		if (ends) await internalAdapter.deleteAccount(account.id);
	}
	if (hasPassword) await deleteLinkedMeanwhile(ctx, userId);
};

/** Deletes accounts that were linked since the transaction began: a SELECT of MySQL does not see them, a DELETE does. */
const deleteLinkedMeanwhile = async (ctx: GenericEndpointContext, userId: string): Promise<void> => {
	const kept = ["credential", ...(await ssoProviderIds(ctx))];
	const where: Where[] = [
		{ field: "userId", value: userId },
		{ field: "providerId", value: kept, operator: "not_in" },
	];
	await (await getCurrentAdapter(ctx.context.adapter)).deleteMany({ model: "account", where });
};

/** Ends the other sessions of a user, also those of sign-ins that are running, with trusted devices, codes and one-time tokens. */
export const endOtherSessions = async (ctx: GenericEndpointContext, user: Owner, kept: string): Promise<void> => {
	const { internalAdapter } = ctx.context;
	const verifications = verificationEndOf(ctx);
	const pin = pinOf(ctx);
	const others = (await internalAdapter.listSessions(user.id)).map(({ token }) => token).filter((one) => one !== kept);
	for (const token of others) await internalAdapter.deleteSession(token);
	await verifications.all(pin.current(), await claimVerifications([user], others));
};

const isCredential = ({ providerId }: { providerId: string }): boolean => providerId === "credential";

const isSso = async ({ context }: GenericEndpointContext, providerId: string): Promise<boolean> => {
	if (!("ssoProvider" in context.tables)) return false;
	const adapter = await getCurrentAdapter(context.adapter);
	return (await adapter.count({ model: "ssoProvider", where: [{ field: "providerId", value: providerId }] })) > 0;
};
