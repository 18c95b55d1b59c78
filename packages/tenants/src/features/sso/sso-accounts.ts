import type { GenericEndpointContext, InternalAdapter } from "@better-auth/core";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { type Authority, accountIdOf } from "../oauth/account-authority.ts";
import { forbidImplicitLinking } from "../oauth/implicit-linking.ts";
import { subjectOf, userProfile } from "../oauth/provider-profile.ts";
import type { SsoProviderRow } from "./provider-authority.ts";

type Context = GenericEndpointContext["context"];

/**
 * Limits the engine's users and accounts to those that one SSO provider may see. Account ids contain the authority, so a
 * provider cannot claim users of a social provider or of another server. Inside its verified domains only, the provider
 * can verify emails and link accounts to existing users by email. Profiles are checked like those of social providers.
 */
export const accountsOfProvider = (
	context: Context,
	provider: SsoProviderRow,
	authority: Exclude<Authority, null>,
): InternalAdapter => {
	const engine = context.internalAdapter;
	const marked = async <Data extends { accountId: string }>(data: Data): Promise<Data> => ({
		...data,
		accountId: await accountIdOf(subjectOf(data.accountId), authority),
	});
	/** the email address of this flow, and the provider's id of the user */
	let claimed = "";
	let subject = "";
	const verified = (email: string | undefined, claim: unknown): boolean =>
		claim === true && vouchesFor(provider, email ?? claimed);
	/** Sets the subject that the engine asked for as account id, because the engine compares the two. */
	const named = <Found extends { accountId: string } | null>(account: Found): Found =>
		account && { ...account, accountId: subject };

	return {
		...engine,
		findAccountByKey: async (key) => {
			subject = key.accountId;
			return named(await engine.findAccountByKey(await marked(key)));
		},
		findAccountOwnerByKey: async (key) => {
			subject = key.accountId;
			const owner = await engine.findAccountOwnerByKey(await marked(key));
			if (owner?.kind !== "owned") return owner;
			claimed = owner.user.email;
			return { ...owner, account: named(owner.account) };
		},
		findUserByEmail: async (email, options) => {
			claimed = email;
			if (!vouchesFor(provider, email)) forbidImplicitLinking(context);
			const found = await engine.findUserByEmail(email, options);
			// the lookup by key found nothing, so none of this provider's accounts can match
			const others = found?.accounts.filter(({ providerId }) => providerId !== provider.providerId);
			return found && { ...found, accounts: others ?? [] };
		},
		createAccount: async (account) => named(await engine.createAccount(await marked(account))),
		linkAccount: async (account) => named(await engine.linkAccount(await marked(account))),
		updateAccount: async (id, data) => named(await engine.updateAccount(id, data)),
		createUser: async (user, source) => {
			const profile = profileOf(user);
			return engine.createUser({ ...profile, emailVerified: verified(user.email, user.emailVerified) }, source);
		},
		updateUser: async (userId, data) => {
			const profile = profileOf(data);
			if (data.emailVerified !== true || verified(data.email, true)) return engine.updateUser(userId, profile);
			const { emailVerified: _claimed, ...rest } = profile;
			const isSameEmail = data.email === undefined || data.email === claimed;
			// the new email is not verified
			return engine.updateUser(userId, isSameEmail ? rest : { ...rest, emailVerified: false });
		},
	};
};

/** Removes values that must not be stored, such as a script URL as image or a very long name. */
const profileOf = <Profile extends Record<string, unknown>>(profile: Profile): Profile => {
	const checked = userProfile.safeParse(profile);
	if (!checked.success) throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.INVALID_EMAIL);
	const { name, image } = checked.data;
	return {
		...profile,
		...("name" in profile ? { name: name ?? "" } : {}),
		...("image" in profile ? { image: image ?? undefined } : {}),
	};
};

/**
 * Whether to believe a provider that an email address is verified: only inside its verified domains. A tenant-chosen
 * provider can claim that any email is verified.
 */
const vouchesFor = ({ domainVerified, domain }: SsoProviderRow, email: string): boolean => {
	if (domainVerified !== true) return false;
	const host = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
	return domain
		.split(",")
		.map((name) => name.trim().toLowerCase())
		.some((name) => name !== "" && (host === name || host.endsWith(`.${name}`)));
};
