import type { GenericEndpointContext } from "@better-auth/core";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { getAccountCookie } from "better-auth/cookies";
import { isAccountOf } from "./authority.ts";
import { findProvider } from "./build-provider.ts";

/** Hides tokens that another authority issued, so they are never sent to the authority that is configured now. */
export const hideForeignTokens = async (ctx: GenericEndpointContext): Promise<void> => {
	await assertOwnAccountCookie(ctx);
	const engine = ctx.context.internalAdapter;
	ctx.context.internalAdapter = {
		...engine,
		findAccounts: async (userId) => {
			const accounts = await engine.findAccounts(userId);
			return Promise.all(
				accounts.map(async (account) => {
					const provider = findProvider(ctx.context.socialProviders, account.providerId);
					const authority = provider && "authority" in provider ? provider.authority : null;
					if (!provider || (await isAccountOf(account.accountId, authority))) return account;
					return { ...account, accessToken: null, refreshToken: null, idToken: null };
				}),
			);
		},
	};
};

/** The browser's account cookie also holds an account with its tokens. */
const assertOwnAccountCookie = async (ctx: GenericEndpointContext): Promise<void> => {
	if (!ctx.body?.useAccountCookie && !ctx.query?.useAccountCookie) return;
	const account = await getAccountCookie(ctx);
	const provider = account && findProvider(ctx.context.socialProviders, account.providerId);
	if (!account || !provider) return;
	const authority = "authority" in provider ? provider.authority : null;
	if (!(await isAccountOf(account.accountId, authority)))
		throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.ACCOUNT_NOT_FOUND);
};
