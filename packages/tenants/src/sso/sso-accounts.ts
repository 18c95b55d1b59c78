import type { GenericEndpointContext, InternalAdapter } from "@better-auth/core";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { type Authority, accountIdOf } from "../oauth/authority.ts";
import { forbidImplicitLinking } from "../oauth/implicit-linking.ts";
import { person, subjectOf } from "../oauth/provider-profile.ts";
import type { SsoProviderRow } from "./provider-authority.ts";
import { vouchesFor } from "./vouching.ts";

type Context = GenericEndpointContext["context"];

/**
 * The engine's users and accounts as one SSO provider may see them. Account ids carry their authority, so that a provider
 * cannot name users of a social provider or of another server. The provider verifies emails, and links to existing users by
 * email, only inside its verified domains. What it says of a user is checked as the profile of a social provider is.
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
	/** the email address that the flow is about, and the provider's own name for the user */
	let claimed = "";
	let subject = "";
	const verified = (email: string | undefined, claim: unknown): boolean =>
		claim === true && vouchesFor(provider, email ?? claimed);
	/** Accounts come back with the subject that the engine asked for: it compares the two. */
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
			// the key was looked for already: none of this provider's accounts is the one, however its subject is spelled
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
			// a new email that nobody has proven
			return engine.updateUser(userId, isSameEmail ? rest : { ...rest, emailVerified: false });
		},
	};
};

/** The profile without what must not be stored: a picture that is a script, a name without end. */
const profileOf = <Profile extends Record<string, unknown>>(profile: Profile): Profile => {
	const checked = person.safeParse(profile);
	if (!checked.success) throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.INVALID_EMAIL);
	const { name, image } = checked.data;
	return {
		...profile,
		...("name" in profile ? { name: name ?? "" } : {}),
		...("image" in profile ? { image: image ?? undefined } : {}),
	};
};
