import type { BetterAuthOptions } from "better-auth";
import type { EmailOTPOptions, MagicLinkOptions, OrganizationOptions, TwoFactorOptions } from "better-auth/plugins";
import { currentTenantId, PLATFORM } from "better-auth-tenants";
import type { InvitationOptions } from "better-auth-tenants/admin";
import type { Config } from "../config/config.ts";
import type { LetterRequest, OneTimePurpose } from "../mail/letter-request.ts";
import { LIFETIMES } from "../mail/lifetimes.ts";
import type { Outbox } from "../mail/outbox.ts";
import { noticeUnstoredMail } from "../mail/unstored-mails.ts";
import { describeError } from "../observe/engine-logger.ts";
import type { Logger } from "../observe/logger.ts";

type MailWith = {
	config: Config;
	mailer: Outbox | null;
	logger: Logger;
};

export type MailHooks = ReturnType<typeof mailHooks>;

type Post = ReturnType<typeof createPost>;

/** Mail callbacks for the engine and its plugins; empty without a mailer. */
export const mailHooks = ({ config, mailer, logger }: MailWith) => {
	const post = createPost({ mailer, logger });
	const emailOTP: EmailOTPOptions = {
		expiresIn: LIFETIMES.oneTimeCode,
		storeOTP: "hashed",
		sendVerificationOTP: ({ email, otp, type }) => {
			// does not compile if the engine has a purpose that the catalogs lack
			const purpose: OneTimePurpose = type;
			return post(email, { kind: "oneTimeCode", code: otp, purpose });
		},
	};
	const magicLink: MagicLinkOptions = {
		expiresIn: LIFETIMES.magicLink,
		storeToken: "hashed",
		sendMagicLink: ({ email, url }) => post(email, { kind: "magicLink", url }),
	};
	// also without a mailer: `migrate` has none and creates the table
	const tenantInvitations = tenantInvitationsOf(config, post);
	if (!mailer) return { emailOTP, magicLink, tenantInvitations };

	const twoFactor: TwoFactorOptions = {
		otpOptions: {
			period: LIFETIMES.twoFactorCode / 60,
			storeOTP: "hashed",
			sendOTP: ({ user, otp }) => post(user.email, { kind: "twoFactorCode", code: otp }),
		},
	};
	const { emailAndPassword, emailVerification, user } = accountMails(post);
	return {
		emailAndPassword,
		emailVerification,
		user,
		organization: organizationMails(config, { post, logger }),
		twoFactor,
		emailOTP,
		magicLink,
		tenantInvitations,
	};
};

/**
 * Creates the function that stores an email of the current tenant. The request waits until it is stored, so no mail is lost
 * after a response, and does not wait for the mail server. Endpoints that mail only some addresses take at least 500 ms in a
 * tenant, which covers this statement.
 */
const createPost =
	({ mailer, logger }: Pick<MailWith, "mailer" | "logger">) =>
	async (to: string, request: LetterRequest): Promise<void> => {
		try {
			await mailer?.send({ to, tenantId: currentTenantId() ?? PLATFORM, request });
		} catch (error) {
			logger.error({ err: describeError(error) }, "mail not stored");
			noticeUnstoredMail();
			throw error;
		}
	};

const tenantInvitationsOf = (config: Config, post: Post): InvitationOptions | null => {
	const acceptURL = config.tenantInvitations?.acceptURL;
	if (!acceptURL) return null;
	return {
		expiresIn: LIFETIMES.tenantInvitation,
		acceptURL: ({ slug }) => acceptURL.replaceAll(":tenant", slug),
		sendInvitation: ({ email, url, inviter }) =>
			post(email, { kind: "tenantInvitation", url, inviter: inviter?.email ?? null }),
	};
};

type AccountMails = {
	emailAndPassword: Partial<BetterAuthOptions["emailAndPassword"]>;
	emailVerification: BetterAuthOptions["emailVerification"];
	user: BetterAuthOptions["user"];
};

const accountMails = (post: Post): AccountMails => ({
	emailAndPassword: {
		resetPasswordTokenExpiresIn: LIFETIMES.passwordReset,
		sendResetPassword: ({ user, url }) => post(user.email, { kind: "passwordReset", url }),
		// if verification is required, sign-up does not reveal that an address is taken; its owner is notified instead
		onExistingUserSignUp: ({ user }) => post(user.email, { kind: "accountExists" }),
	},
	emailVerification: {
		expiresIn: LIFETIMES.verification,
		sendVerificationEmail: ({ user, url }) => post(user.email, { kind: "verification", url }),
	},
	user: {
		changeEmail: {
			enabled: true,
			sendChangeEmailConfirmation: ({ user, newEmail, url }) =>
				post(user.email, { kind: "emailChange", url, newAddress: newEmail }),
		},
		deleteUser: {
			enabled: true,
			deleteTokenExpiresIn: LIFETIMES.accountDeletion,
			sendDeleteAccountVerification: ({ user, url }) => post(user.email, { kind: "accountDeletion", url }),
		},
	},
});

const organizationMails = (
	{ mail: { invitationURL } }: Config,
	{ post, logger }: { post: Post; logger: Logger },
): OrganizationOptions => {
	const invitationExpiresIn = LIFETIMES.invitation;
	if (!invitationURL) return { invitationExpiresIn };
	return {
		invitationExpiresIn,
		sendInvitationEmail: async ({ id, email, organization, inviter }) => {
			if (invitationURL.includes(":tenant") && (currentTenantId() ?? PLATFORM) === PLATFORM) {
				logger.warn(
					"a platform invitation was not mailed: INVITATION_URL contains :tenant, but the platform has no slug. Remove :tenant, or deliver platform invitations yourself",
				);
				return;
			}
			await post(email, {
				kind: "invitation",
				page: invitationURL,
				id,
				inviter: inviter.user.email,
				organization: organization.name,
			});
		},
	};
};
