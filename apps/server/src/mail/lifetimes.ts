/**
 * How long links and codes are valid, in seconds. The engine gets the same values. A mail waits while the mail server is
 * down, so links that a user needs outlast an hour of it.
 */
export const LIFETIMES = {
	verification: 7_200,
	passwordReset: 7_200,
	emailChange: 7_200,
	magicLink: 600,
	oneTimeCode: 600,
	twoFactorCode: 300,
	accountDeletion: 86_400,
	invitation: 172_800,
	tenantInvitation: 172_800,
} as const;
