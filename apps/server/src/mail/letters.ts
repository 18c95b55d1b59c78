import type { Letter } from "./letter.ts";
import { cleanName, unlinkedName } from "./names.ts";

/** Seconds that links and codes are good for; the engine is told the same. */
export const LIFETIMES = {
	verification: 3_600,
	passwordReset: 3_600,
	magicLink: 600,
	oneTimeCode: 600,
	twoFactorCode: 300,
	accountDeletion: 86_400,
	invitation: 172_800,
} as const;

/** What people are written. `name` is the tenant's, or the service's own where somebody belongs to the platform. */
export const letters = {
	verification: (name: string, url: string): Letter => ({
		subject: `Confirm your e-mail address for ${cleanName(name)}`,
		opening: `Please confirm that this e-mail address is yours, for your account at ${unlinkedName(name)}.`,
		link: { label: "Confirm e-mail address", url },
		closing: `The link is good for ${spoken(LIFETIMES.verification)}. If it was not you who asked for it, do nothing.`,
	}),
	passwordReset: (name: string, url: string): Letter => ({
		subject: `Reset your password for ${cleanName(name)}`,
		opening: `Somebody asked to reset the password of your account at ${unlinkedName(name)}.`,
		link: { label: "Choose a new password", url },
		closing: `The link is good for ${spoken(LIFETIMES.passwordReset)}. If it was not you, do nothing: your password stays as it is.`,
	}),
	emailChange: (name: string, url: string, newAddress: string): Letter => ({
		subject: `Confirm the change of your e-mail address for ${cleanName(name)}`,
		opening: `Somebody asked to change the e-mail address of your account at ${unlinkedName(name)} to ${unlinkedName(newAddress)}.`,
		link: { label: "Confirm the change", url },
		closing: `The link is good for ${spoken(LIFETIMES.verification)}. If it was not you, do nothing and change your password: somebody may be signed in to your account.`,
	}),
	accountDeletion: (name: string, url: string): Letter => ({
		subject: `Confirm that your account at ${cleanName(name)} is to be deleted`,
		opening: `Somebody asked to delete your account at ${unlinkedName(name)}. This cannot be undone.`,
		link: { label: "Delete my account", url },
		closing: `The link is good for ${spoken(LIFETIMES.accountDeletion)}. If it was not you, do nothing and change your password: somebody may be signed in to your account.`,
	}),
	magicLink: (name: string, url: string): Letter => ({
		subject: `Your sign-in link for ${cleanName(name)}`,
		opening: `Here is your link to sign in to ${unlinkedName(name)}.`,
		link: { label: "Sign in", url },
		closing: `The link is good for ${spoken(LIFETIMES.magicLink)} and works once. If it was not you who asked for it, do nothing.`,
	}),
	oneTimeCode: (name: string, code: string, purpose: string): Letter => ({
		subject: `Your code for ${cleanName(name)}`,
		opening: `Here is your code to ${purpose} at ${unlinkedName(name)}.`,
		code,
		closing: `The code is good for ${spoken(LIFETIMES.oneTimeCode)}. Nobody will ask you for it but the page you are on. If it was not you, do nothing.`,
	}),
	twoFactorCode: (name: string, code: string): Letter => ({
		subject: `Your second factor for ${cleanName(name)}`,
		opening: `Here is the code that completes your sign-in to ${unlinkedName(name)}.`,
		code,
		closing: `The code is good for ${spoken(LIFETIMES.twoFactorCode)}. If it was not you, somebody knows your password: change it.`,
	}),
	accountExists: (name: string): Letter => ({
		subject: `You have an account at ${cleanName(name)} already`,
		opening: `Somebody tried to sign up at ${unlinkedName(name)} with this e-mail address, which has an account there already. Sign in instead; if you forgot the password, reset it on the sign-in page.`,
		closing: "If it was not you, do nothing: nothing was changed.",
	}),
	invitation: (
		name: string,
		url: string,
		{ inviter, organization }: { inviter: string; organization: string },
	): Letter => ({
		subject: `Invitation to ${cleanName(organization)} at ${cleanName(name)}`,
		opening: `${unlinkedName(inviter)} invites you to join ${unlinkedName(organization)} at ${unlinkedName(name)}.`,
		link: { label: "See the invitation", url },
		closing: `The invitation is good for ${spoken(LIFETIMES.invitation)}. If you did not expect it, do nothing.`,
	}),
};

/** Seconds as people say them. */
const spoken = (seconds: number): string => {
	const [count, unit] = seconds >= 7_200 ? [seconds / 3_600, "hour"] : [seconds / 60, "minute"];
	return `${count} ${unit}${count === 1 ? "" : "s"}`;
};
