import type { Names } from "./names.ts";

/**
 * The texts in English. The other catalogs have its type, so a missing text does not compile. Names are cleaned before they
 * get here: a catalog never sees one as it was chosen.
 */
export const en = {
	/** between the button and the address that it leads to */
	orOpen: "Or open this address:",
	verification: {
		subject: ({ tenant }: Names) => `Confirm your email address for ${tenant}`,
		opening: ({ tenant }: Names) => `Please confirm that this email address is yours, for your account at ${tenant}.`,
		action: "Confirm email address",
		closing: (duration: string) => `The link is valid for ${duration}. If you did not ask for it, ignore this email.`,
	},
	passwordReset: {
		subject: ({ tenant }: Names) => `Reset your password for ${tenant}`,
		opening: ({ tenant }: Names) => `Someone asked to reset the password of your account at ${tenant}.`,
		action: "Choose a new password",
		closing: (duration: string) =>
			`The link is valid for ${duration}. If this was not you, ignore this email: your password stays the same.`,
	},
	emailChange: {
		subject: ({ tenant }: Names) => `Confirm the change of your email address for ${tenant}`,
		opening: ({ tenant, newAddress }: Names<"newAddress">) =>
			`Someone asked to change the email address of your account at ${tenant} to ${newAddress}.`,
		action: "Confirm the change",
		closing: (duration: string) =>
			`The link is valid for ${duration}. If this was not you, do not use the link, and change your password: someone may be signed in to your account.`,
	},
	accountDeletion: {
		subject: ({ tenant }: Names) => `Confirm the deletion of your account at ${tenant}`,
		opening: ({ tenant }: Names) => `Someone asked to delete your account at ${tenant}. This cannot be undone.`,
		action: "Delete my account",
		closing: (duration: string) =>
			`The link is valid for ${duration}. If this was not you, do not use the link, and change your password: someone may be signed in to your account.`,
	},
	magicLink: {
		subject: ({ tenant }: Names) => `Your sign-in link for ${tenant}`,
		opening: ({ tenant }: Names) => `Here is your link to sign in to ${tenant}.`,
		action: "Sign in",
		closing: (duration: string) =>
			`The link is valid for ${duration} and works once. If you did not ask for it, ignore this email.`,
	},
	oneTimeCode: {
		subject: ({ tenant }: Names) => `Your code for ${tenant}`,
		openings: {
			"sign-in": ({ tenant }: Names) => `Here is your code to sign in at ${tenant}.`,
			"email-verification": ({ tenant }: Names) => `Here is your code to confirm your email address at ${tenant}.`,
			"forget-password": ({ tenant }: Names) => `Here is your code to reset your password at ${tenant}.`,
			"change-email": ({ tenant }: Names) => `Here is your code to change your email address at ${tenant}.`,
			/** if the purpose is not known to this version */
			other: ({ tenant }: Names) => `Here is your code for ${tenant}.`,
		},
		closing: (duration: string) =>
			`The code is valid for ${duration}. Enter it only on the page you are on. If this was not you, ignore this email.`,
	},
	twoFactorCode: {
		subject: ({ tenant }: Names) => `Your second factor for ${tenant}`,
		opening: ({ tenant }: Names) => `Here is the code that completes your sign-in to ${tenant}.`,
		closing: (duration: string) =>
			`The code is valid for ${duration}. If this was not you, someone knows your password: change it.`,
	},
	accountExists: {
		subject: ({ tenant }: Names) => `You already have an account at ${tenant}`,
		opening: ({ tenant }: Names) =>
			`Someone tried to sign up at ${tenant} with this email address, which already has an account. Sign in instead. If you forgot your password, reset it on the sign-in page.`,
		closing: () => "If this was not you, ignore this email: nothing was changed.",
	},
	invitation: {
		subject: ({ tenant, organization }: Names<"organization">) => `Invitation to ${organization} at ${tenant}`,
		opening: ({ tenant, organization, inviter }: Names<"organization" | "inviter">) =>
			`${inviter} invites you to join ${organization} at ${tenant}.`,
		action: "See the invitation",
		closing: (duration: string) =>
			`The invitation is valid for ${duration}. If you did not expect it, ignore this email.`,
	},
	tenantInvitation: {
		subject: ({ tenant }: Names) => `Invitation to ${tenant}`,
		openings: {
			byUser: ({ tenant, inviter }: Names<"inviter">) => `${inviter} invites you to join ${tenant}.`,
			byOperator: ({ tenant }: Names) => `You are invited to join ${tenant}.`,
		},
		action: "See the invitation",
		closing: (duration: string) =>
			`The invitation is valid for ${duration} and works once. If you did not expect it, ignore this email.`,
	},
};

export type Catalog = typeof en;
