import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import { APIError } from "@better-auth/core/error";
import { recordEnd } from "../admin/session-ends.ts";
import { claimVerifications } from "../move/claimed-verifications.ts";
import { servicesOf } from "../services.ts";
import { INVITATION_ERROR_CODES } from "./error-codes.ts";

type Owner = { id: string; email: string };

/** Ways in, besides sessions and accounts. Whoever signed up with the address before its owner may have added some. */
const WAYS_IN = [
	"passkey",
	"apikey",
	"walletAddress",
	"oauthAccessToken",
	"oauthRefreshToken",
	"oauthConsent",
	"deviceCode",
];

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
	const { adapter, internalAdapter } = ctx.context;
	const current = await getCurrentAdapter(adapter);
	for (const { key, links } of servicesOf(ctx).userTables)
		if (WAYS_IN.includes(key))
			for (const { field, model } of links)
				if (model === "user") await current.deleteMany({ model: key, where: [{ field, value: userId }] });
	const accounts = await internalAdapter.findAccounts(userId);
	const hasPassword = accounts.some((account) => isCredential(account) && account.password);
	for (const account of accounts) {
		// its wallet is gone, and it would keep the wallet from signing up again
		const isWallet = account.providerId === "siwe";
		const ends = isWallet || (hasPassword && !isCredential(account) && !(await isSso(ctx, account.providerId)));
		if (ends) await internalAdapter.deleteAccount(account.id);
	}
};

/** A user without a phone number, whose codes would sign its holder in. Nothing if users have none. */
export const noPhoneNumber = ({ context }: GenericEndpointContext): Record<string, unknown> =>
	context.hasPlugin("phone-number") ? { phoneNumber: null, phoneNumberVerified: false } : {};

/** Ends the other sessions of a user, also those of sign-ins that are running, with trusted devices, codes and one-time tokens. */
export const endOtherSessions = async (ctx: GenericEndpointContext, user: Owner, kept: string): Promise<void> => {
	const { internalAdapter } = ctx.context;
	const { verifications, pin } = servicesOf(ctx);
	await recordEnd(ctx, user.id);
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
