import type { IdentifierGroup } from "./identifier.ts";

const SUITE = "proof/surface/suite.ts";
const OTHER_TENANT = { file: SUITE, title: "reveals nothing of another tenant or the platform to a tenant's admin" };

export const PEOPLE: IdentifierGroup = {
	title: "Users and their credentials",
	identifiers: [
		{
			name: "row id",
			sources: ["by hand: the id of every table", "path /scim/v2/Users/:userId", "path /scim/v2/Groups/:groupId"],
			namespace: "one primary key for the rows of all tenants, which requests use",
			separatedBy:
				"Every statement contains the tenant (`src/scope/data/adapter.ts`), and a row never points at another tenant's. Ids that a caller may choose are derived with the tenant (`src/scope/data/reserved-ids.ts`).",
			test: OTHER_TENANT,
		},
		{
			name: "email address",
			sources: [
				"unique user(tenantId, email)",
				"claim session token: email",
				"claim mail token: email",
				"claim mail token: updateTo",
				"verification sign-in-otp-<email>",
				"verification email-verification-otp-<email>",
				"verification forget-password-otp-<email>",
				"verification change-email-otp-<email>-<email>",
			],
			since1718: {
				adds: ["verification change-email-otp-<32>:<email>"],
				drops: ["verification change-email-otp-<email>-<email>"],
			},
			namespace: "mailboxes: one address can have users in several tenants, whose tokens and codes arrive there",
			separatedBy:
				"Unique with the tenant (`src/scope/data/schema.ts`). Tokens in mails are signed with the tenant's secret (`src/scope/secrets/secrets.ts`) and name the tenant (`src/scope/request/mail-links.ts`); codes are stored in the tenant's rows.",
			test: { file: SUITE, title: "follows another tenant's mail link or provider's redirect to that tenant only" },
		},
		{
			name: "invitation",
			sources: ["unique tenantInvitation(tenantId, email)"],
			namespace: "mailboxes: one address can have invitations of several tenants, whose links arrive there",
			separatedBy:
				"Unique with the tenant. The token is random, stored as a hash in the tenant's row (`src/features/invitations/schema.ts`, `src/scope/data/adapter.ts`).",
			test: {
				file: "packages/tenants/test/invitations/admission.security.test.ts",
				title: "admits a verified address with an open invitation of this tenant",
			},
		},
		{
			name: "username",
			sources: ["unique user.tenantUnique_username"],
			namespace: "sign-in by name",
			separatedBy:
				"A derived column contains tenant and value (`src/scope/compose/scope-plugin.ts`, `src/scope/data/derived-value.ts`).",
			test: { file: "packages/tenants/test/compose/username.test.ts", title: "are taken in one and free in the other" },
		},
		{
			name: "phone number",
			sources: [
				"verification <phone>",
				"verification <phone>-request-password-reset",
				"unique user.tenantUnique_phoneNumber",
			],
			since1718: {
				adds: ["verification phone-number-otp-<phone>", "verification phone-number-reset-<phone>"],
				drops: ["verification <phone>", "verification <phone>-request-password-reset"],
			},
			namespace: "phones: codes for several tenants arrive at one phone",
			separatedBy:
				"A derived column contains tenant and value (`src/scope/compose/scope-plugin.ts`); codes are only read in the tenant (`src/scope/data/adapter.ts`).",
			test: { file: "packages/tenants/test/compose/phone-number.test.ts", title: "the same number in both" },
		},
		{
			name: "account: provider and subject",
			sources: ["unique account(tenantId, providerId, accountId)"],
			namespace:
				"(providerId, accountId): social sign-in, SSO, generic OAuth, passwords and wallets share it within a tenant; one provider may identify the same user in several tenants",
			separatedBy:
				"Unique with the tenant (`src/scope/data/schema.ts`). The account id contains the authority that identified the user (`src/features/oauth/account-authority.ts`). SSO refuses the names of built-in and social providers.",
			test: { file: "packages/tenants/test/oauth/authority.security.test.ts", title: "has one authority" },
		},
		{
			name: "wallet address and nonce",
			sources: ["verification siwe:<24>", "by hand: siwe domain"],
			namespace: "signed messages: all tenants have one `domain`, so a message does not name its tenant",
			separatedBy:
				"The nonce in the message is a row of one tenant and valid once (`src/scope/data/adapter.ts`). Wallets are read in the tenant.",
			test: OTHER_TENANT,
		},
		{
			name: "passkey: credential id, user handle, rpID",
			sources: [
				"cookie better-auth-passkey",
				"verification <32>",
				"by hand: passkey rpID",
				"by hand: passkey.credentialID",
			],
			namespace: "authenticators: all tenants on one domain share one relying party",
			separatedBy:
				"Credentials and challenges are only found in the tenant (`src/scope/data/adapter.ts`). The cookie of a challenge is signed with the tenant's secret. User handles are random, so no authenticator replaces one tenant's passkey with another's. The application sets the origins: `passkey({ origin })`.",
			test: { file: "packages/tenants/test/compose/passkey.test.ts", title: "for users of the same name" },
		},
		{
			name: "TOTP issuer and label",
			sources: ["by hand: otpauth://totp/<issuer>:<email>"],
			namespace: "authenticator apps: entries of one email in two tenants look alike",
			separatedBy:
				"Nothing. The secrets differ, and a code of another tenant is refused. Some apps show or keep only one of two equal labels.",
			test: { file: "packages/tenants/test/compose/two-factor.test.ts", title: "and turned off" },
		},
	],
};
