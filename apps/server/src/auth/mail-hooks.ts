import type { BetterAuthOptions } from "better-auth";
import type { EmailOTPOptions, MagicLinkOptions, OrganizationOptions, TwoFactorOptions } from "better-auth/plugins";
import { currentTenantId, PLATFORM } from "better-auth-tenants";
import type { Config } from "../config/config.ts";
import { parseSender } from "../config/sender.ts";
import { compose, type Letter } from "../mail/letter.ts";
import { LIFETIMES, letters } from "../mail/letters.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { Logger } from "../observe/logger.ts";
import { describeError } from "./engine-logger.ts";
import type { TenantDirectory, TenantEntry } from "./tenant-directory.ts";

type MailWith = {
	config: Config;
	mailer: Mailer | null;
	directory: Pick<TenantDirectory, "byId">;
	logger: Logger;
};

export type MailHooks = ReturnType<typeof mailHooks>;

/** Mail callbacks for the engine and its plugins; empty without a mailer. */
export const mailHooks = ({ config, mailer, directory, logger }: MailWith) => {
	const { invitationURL, smtp } = config.mail;
	const serviceName = parseSender(smtp?.from ?? "")?.name || new URL(config.http.publicURL).hostname;

	/**
	 * Sends an email on behalf of the current tenant. The request does not wait for it: response time must not reveal
	 * whether an address is known, and a slow mail server must not delay a sign-up.
	 */
	const post = async (
		to: string,
		write: (name: string, tenant: TenantEntry | null) => Letter | null,
	): Promise<void> => {
		const tenantId = currentTenantId() ?? PLATFORM;
		const send = async () => {
			const tenant = tenantId === PLATFORM ? null : await directory.byId(tenantId);
			// a tenant that is being deleted sends no mail
			if (tenant === null && tenantId !== PLATFORM) return;
			const letter = write(tenant?.name ?? serviceName, tenant);
			if (letter) await mailer?.send({ to, ...compose(letter), onBehalfOf: tenant?.name });
		};
		const letter = send().catch((error: unknown) => logger.error({ err: describeError(error) }, "mail not sent"));
		mailer?.follow(letter);
	};

	const emailOTP: EmailOTPOptions = {
		expiresIn: LIFETIMES.oneTimeCode,
		storeOTP: "hashed",
		sendVerificationOTP: ({ email, otp, type }) =>
			post(email, (name) => letters.oneTimeCode(name, otp, PURPOSES[type])),
	};
	const magicLink: MagicLinkOptions = {
		expiresIn: LIFETIMES.magicLink,
		storeToken: "hashed",
		sendMagicLink: ({ email, url }) => post(email, (name) => letters.magicLink(name, url)),
	};
	if (!mailer) return { emailOTP, magicLink };

	const emailAndPassword: Partial<BetterAuthOptions["emailAndPassword"]> = {
		resetPasswordTokenExpiresIn: LIFETIMES.passwordReset,
		sendResetPassword: ({ user, url }) => post(user.email, (name) => letters.passwordReset(name, url)),
		// if verification is required, sign-up does not reveal that an address is taken; its owner is notified instead
		onExistingUserSignUp: ({ user }) => post(user.email, (name) => letters.accountExists(name)),
	};
	const emailVerification: BetterAuthOptions["emailVerification"] = {
		expiresIn: LIFETIMES.verification,
		sendVerificationEmail: ({ user, url }) => post(user.email, (name) => letters.verification(name, url)),
	};
	const user: BetterAuthOptions["user"] = {
		changeEmail: {
			enabled: true,
			sendChangeEmailConfirmation: ({ user, newEmail, url }) =>
				post(user.email, (name) => letters.emailChange(name, url, newEmail)),
		},
		deleteUser: {
			enabled: true,
			deleteTokenExpiresIn: LIFETIMES.accountDeletion,
			sendDeleteAccountVerification: ({ user, url }) => post(user.email, (name) => letters.accountDeletion(name, url)),
		},
	};
	const organization: OrganizationOptions = {
		invitationExpiresIn: LIFETIMES.invitation,
		...(invitationURL
			? {
					sendInvitationEmail: ({ id, email, organization, inviter }) =>
						post(email, (name, tenant) => {
							const page = invitationPage(invitationURL, id, tenant);
							if (page)
								return letters.invitation(name, page, {
									inviter: inviter.user.email,
									organization: organization.name,
								});
							logger.warn(
								"a platform invitation was not mailed: INVITATION_URL contains :tenant, but the platform has no slug. Remove :tenant, or deliver platform invitations yourself",
							);
							return null;
						}),
				}
			: {}),
	};
	const twoFactor: TwoFactorOptions = {
		otpOptions: {
			period: LIFETIMES.twoFactorCode / 60,
			storeOTP: "hashed",
			sendOTP: ({ user, otp }) => post(user.email, (name) => letters.twoFactorCode(name, otp)),
		},
	};
	return { emailAndPassword, emailVerification, user, organization, twoFactor, emailOTP, magicLink };
};

/**
 * Returns null if the URL needs a tenant's slug and the organization belongs to the platform. Without the slug the URL
 * would name another host.
 */
const invitationPage = (template: string, id: string, tenant: TenantEntry | null): string | null => {
	if (tenant === null && template.includes(":tenant")) return null;
	return template.replaceAll(":tenant", tenant?.slug ?? "").replaceAll(":id", encodeURIComponent(id));
};

const PURPOSES: Record<Parameters<EmailOTPOptions["sendVerificationOTP"]>[0]["type"], string> = {
	"sign-in": "sign in",
	"email-verification": "confirm your email address",
	"forget-password": "reset your password",
	"change-email": "change your email address",
};
