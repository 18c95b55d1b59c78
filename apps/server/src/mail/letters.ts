import type { Letter } from "./letter.ts";
import { cleanName, unlinkedName } from "./names.ts";

/**
 * How long links and codes are valid, in seconds. The engine gets the same values. A mail waits while the mail server is
 * down, so links that a user needs outlast an hour of it.
 */
export const LIFETIMES = {
	verification: 7_200,
	passwordReset: 7_200,
	magicLink: 600,
	oneTimeCode: 600,
	twoFactorCode: 300,
	accountDeletion: 86_400,
	invitation: 172_800,
} as const;

/** The mails to users. `name` is the tenant's, or the server's for users of the platform. */
export const letters = {
	verification: (name: string, url: string): Letter => ({
		subject: `Confirm your email address for ${cleanName(name)}`,
		opening: `Please confirm that this email address is yours, for your account at ${unlinkedName(name)}.`,
		link: { label: "Confirm email address", url },
		closing: `The link is valid for ${spoken(LIFETIMES.verification)}. If you did not ask for it, ignore this email.`,
	}),
	passwordReset: (name: string, url: string): Letter => ({
		subject: `Reset your password for ${cleanName(name)}`,
		opening: `Someone asked to reset the password of your account at ${unlinkedName(name)}.`,
		link: { label: "Choose a new password", url },
		closing: `The link is valid for ${spoken(LIFETIMES.passwordReset)}. If this was not you, ignore this email: your password stays the same.`,
	}),
	emailChange: (name: string, url: string, newAddress: string): Letter => ({
		subject: `Confirm the change of your email address for ${cleanName(name)}`,
		opening: `Someone asked to change the email address of your account at ${unlinkedName(name)} to ${unlinkedName(newAddress)}.`,
		link: { label: "Confirm the change", url },
		closing: `The link is valid for ${spoken(LIFETIMES.verification)}. If this was not you, do not use the link, and change your password: someone may be signed in to your account.`,
	}),
	accountDeletion: (name: string, url: string): Letter => ({
		subject: `Confirm the deletion of your account at ${cleanName(name)}`,
		opening: `Someone asked to delete your account at ${unlinkedName(name)}. This cannot be undone.`,
		link: { label: "Delete my account", url },
		closing: `The link is valid for ${spoken(LIFETIMES.accountDeletion)}. If this was not you, do not use the link, and change your password: someone may be signed in to your account.`,
	}),
	magicLink: (name: string, url: string): Letter => ({
		subject: `Your sign-in link for ${cleanName(name)}`,
		opening: `Here is your link to sign in to ${unlinkedName(name)}.`,
		link: { label: "Sign in", url },
		closing: `The link is valid for ${spoken(LIFETIMES.magicLink)} and works once. If you did not ask for it, ignore this email.`,
	}),
	oneTimeCode: (name: string, code: string, purpose: string): Letter => ({
		subject: `Your code for ${cleanName(name)}`,
		opening: `Here is your code to ${purpose} at ${unlinkedName(name)}.`,
		code,
		closing: `The code is valid for ${spoken(LIFETIMES.oneTimeCode)}. Enter it only on the page you are on. If this was not you, ignore this email.`,
	}),
	twoFactorCode: (name: string, code: string): Letter => ({
		subject: `Your second factor for ${cleanName(name)}`,
		opening: `Here is the code that completes your sign-in to ${unlinkedName(name)}.`,
		code,
		closing: `The code is valid for ${spoken(LIFETIMES.twoFactorCode)}. If this was not you, someone knows your password: change it.`,
	}),
	accountExists: (name: string): Letter => ({
		subject: `You already have an account at ${cleanName(name)}`,
		opening: `Someone tried to sign up at ${unlinkedName(name)} with this email address, which already has an account. Sign in instead. If you forgot your password, reset it on the sign-in page.`,
		closing: "If this was not you, ignore this email: nothing was changed.",
	}),
	invitation: (
		name: string,
		url: string,
		{ inviter, organization }: { inviter: string; organization: string },
	): Letter => ({
		subject: `Invitation to ${cleanName(organization)} at ${cleanName(name)}`,
		opening: `${unlinkedName(inviter)} invites you to join ${unlinkedName(organization)} at ${unlinkedName(name)}.`,
		link: { label: "See the invitation", url },
		closing: `The invitation is valid for ${spoken(LIFETIMES.invitation)}. If you did not expect it, ignore this email.`,
	}),
};

/** Formats seconds as hours or minutes. */
const spoken = (seconds: number): string => {
	const [count, unit] = seconds >= 7_200 ? [seconds / 3_600, "hour"] : [seconds / 60, "minute"];
	return `${count} ${unit}${count === 1 ? "" : "s"}`;
};
