import type { BetterAuthPlugin } from "@better-auth/core";
import * as z from "zod";

/** The sign-in methods that plugins add. They are the same in every tenant. */
export type PluginMethods = {
	/** Whether users can sign in, and sign up, with a link in an email (`magicLink`). */
	magicLink: { enabled: boolean; signUp: boolean };
	/** Whether users can sign in, and sign up, with a one-time password in an email (`emailOTP`). */
	emailOtp: { enabled: boolean; signUp: boolean };
	/** Whether users can sign in, and sign up, with a phone number (`phoneNumber`). */
	phoneNumber: { enabled: boolean; signUp: boolean };
	/** Whether users can sign in with a username and their password (`username`). */
	username: { enabled: boolean };
	/** Whether users can sign in with a passkey (`passkey`). */
	passkey: { enabled: boolean };
	/** Whether visitors can get an account without a name (`anonymous`). */
	anonymous: { enabled: boolean };
	/** Whether users can sign in with an Ethereum wallet (`siwe`). */
	siwe: { enabled: boolean };
};

const signUpOptions = z
	.looseObject({ disableSignUp: z.boolean().optional(), signUpOnVerification: z.unknown() })
	.partial();

/** Reads the methods from the plugins of the application. Runs no query. */
export const readPluginMethods = (plugins: readonly BetterAuthPlugin[]): PluginMethods => {
	const find = (id: string) => plugins.find((plugin) => plugin.id === id);
	const optionsOf = (id: string) => signUpOptions.safeParse(find(id)?.options ?? {}).data ?? {};
	const has = (id: string) => ({ enabled: find(id) !== undefined });
	const withSignUp = (id: string) => ({ ...has(id), signUp: has(id).enabled && optionsOf(id).disableSignUp !== true });
	return {
		magicLink: withSignUp("magic-link"),
		emailOtp: withSignUp("email-otp"),
		phoneNumber: {
			...has("phone-number"),
			signUp: Boolean(optionsOf("phone-number").signUpOnVerification),
		},
		username: has("username"),
		passkey: has("passkey"),
		anonymous: has("anonymous"),
		siwe: has("siwe"),
	};
};

const oneTapOptions = z.looseObject({ clientId: z.string().min(1) });

/** Whether One Tap works in a tenant. `oneTap({ clientId })` does not accept tokens for a tenant's own Google client. */
export const allowsOneTap = (
	plugins: readonly BetterAuthPlugin[],
	google: { isOffered: boolean; isOwn: boolean },
): boolean => {
	const plugin = plugins.find(({ id }) => id === "one-tap");
	if (!plugin || !google.isOffered) return false;
	return !google.isOwn || !oneTapOptions.safeParse(plugin.options).success;
};
