import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { claimVerifications } from "../move/claimed-verifications.ts";
import { verificationEndOf } from "../move/end-verifications.ts";
import { endChangeLinks } from "./ended-links.ts";
import { deleteWaysIn, ssoProviderIds } from "./ways-in.ts";

/** Links and codes that were sent to the address itself. Its owner has them. */
const MAILED = /^(?:reset-password:|delete-account-|(?:sign-in|email-verification|forget-password)-otp-)/;

/** A user whose email was not verified until now. */
export type Unproven = { id: string; email: string };

/**
 * Ends what a user had before their email was verified: the password, linked accounts, sessions, passkeys, API keys, wallets,
 * sign-ins that wait for a second factor, and links that change the email. Accounts of the tenant's SSO providers stay, and those
 * that this request created or renewed: they are its proof. For a transaction, after the user was written.
 */
export const endUnprovenAccess = async (
	ctx: GenericEndpointContext,
	user: Unproven,
	ownAccounts: Set<string>,
): Promise<void> => {
	const { internalAdapter, adapter, options } = ctx.context;
	const verifications = verificationEndOf(ctx);
	const pin = pinOf(ctx);
	const providers = await ssoProviderIds(ctx);
	const where: Where[] = [{ field: "userId", value: user.id }];
	// "not in ()" is invalid SQL
	if (providers.length > 0) where.push({ field: "providerId", value: providers, operator: "not_in" });
	if (ownAccounts.size > 0) where.push({ field: "id", value: [...ownAccounts], operator: "not_in" });
	await (await getCurrentAdapter(adapter)).deleteMany({ model: "account", where });
	await deleteWaysIn(ctx, user.id);
	const tokens = (await internalAdapter.listSessions(user.id)).map(({ token }) => token);
	await internalAdapter.deleteUserSessions(user.id);
	const claims = await claimVerifications([user], tokens);
	const isClaimed: typeof claims.isClaimed = (one) => !MAILED.test(one.identifier) && claims.isClaimed(one);
	await verifications.known(pin.current(), { ...claims, isClaimed });
	if (options.user?.changeEmail?.enabled) await endChangeLinks(ctx, user.id);
};
