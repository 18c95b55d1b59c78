import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import { userTablesOf } from "../move/user-tables.ts";

/** SSO providers of one tenant. The default of a query is 100 rows. */
const MOST_PROVIDERS = 10_000;

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

/** Deletes passkeys, API keys, wallets, tokens of OAuth clients and unconfirmed second factors of a user. For a transaction. */
export const deleteWaysIn = async (ctx: GenericEndpointContext, userId: string): Promise<void> => {
	const current = await getCurrentAdapter(ctx.context.adapter);
	for (const { key, links } of userTablesOf(ctx))
		if (WAYS_IN.includes(key))
			for (const { field, model } of links)
				if (model === "user") await current.deleteMany({ model: key, where: [{ field, value: userId }] });
	await deleteUnconfirmedFactor(ctx, userId);
};

/** Deletes a second factor whose enrolment was begun and not confirmed: whoever began it knows the secret. */
const deleteUnconfirmedFactor = async ({ context }: GenericEndpointContext, userId: string): Promise<void> => {
	if (!context.tables.twoFactor?.fields.verified) return;
	const where = [
		{ field: "userId", value: userId },
		{ field: "verified", value: false },
	];
	await (await getCurrentAdapter(context.adapter)).deleteMany({ model: "twoFactor", where });
};

/** A user without a phone number, whose codes would sign its holder in. Nothing if users have none. */
export const noPhoneNumber = ({ context }: GenericEndpointContext): Record<string, unknown> =>
	context.hasPlugin("phone-number") ? { phoneNumber: null, phoneNumberVerified: false } : {};

/** The ids of the tenant's SSO providers. The tenant decides who their accounts are. */
export const ssoProviderIds = async ({ context }: GenericEndpointContext): Promise<string[]> => {
	if (!("ssoProvider" in context.tables)) return [];
	const adapter = await getCurrentAdapter(context.adapter);
	const found = await adapter.findMany<{ providerId: string }>({ model: "ssoProvider", limit: MOST_PROVIDERS });
	return found.map(({ providerId }) => providerId);
};
