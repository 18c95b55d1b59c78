import type { IdentifierGroup } from "./identifier.ts";

const SUITE = "proof/surface/suite.ts";
const NEIGHBOUR = { file: SUITE, title: "gives a tenant's admin nothing of a neighbour or the platform" };

export const PEOPLE: IdentifierGroup = {
	title: "Users and what they sign in with",
	identifiers: [
		{
			name: "row id",
			sources: ["by hand: the id of every table", "path /scim/v2/Users/:userId", "path /scim/v2/Groups/:groupId"],
			namespace: "one primary key for the rows of all tenants; requests name rows by it",
			separatedBy:
				"Every statement carries the tenant (`src/scope/adapter.ts`); a row never points at another tenant's. Ids that a caller may choose are derived with the tenant (`src/scope/named-row-id.ts`).",
			test: NEIGHBOUR,
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
			namespace: "mailboxes: one person can be a user of several tenants; tokens and codes are sent there",
			separatedBy:
				"Unique with the tenant (`src/schema.ts`). Tokens in mails are signed with the tenant's secret (`src/scope/secrets.ts`) and name the tenant (`src/scope/mail-links.ts`); codes lie in the tenant's rows.",
			test: { file: SUITE, title: "follows a neighbour's mail link or provider's redirect to him alone" },
		},
		{
			name: "username",
			sources: ["unique user.tenantUnique_username"],
			namespace: "sign-in by name",
			separatedBy:
				"A derived column holds tenant and value (`src/compose/scope-plugin.ts`, `src/scope/derived-value.ts`).",
			test: { file: "packages/tenants/test/compose/username.test.ts", title: "are taken in one and free in the other" },
		},
		{
			name: "phone number",
			sources: [
				"verification <phone>",
				"verification <phone>-request-password-reset",
				"unique user.tenantUnique_phoneNumber",
			],
			namespace: "telephones: codes for several tenants arrive at one",
			separatedBy:
				"A derived column holds tenant and value (`src/compose/scope-plugin.ts`); codes are read in the tenant alone (`src/scope/adapter.ts`).",
			test: { file: "packages/tenants/test/compose/phone-number.test.ts", title: "the same number in both" },
		},
		{
			name: "account: provider and subject",
			sources: ["unique account(tenantId, providerId, accountId)"],
			namespace:
				"(providerId, accountId): social sign-in, SSO, generic OAuth, passwords and wallets share it within a tenant; one provider names the same person in several tenants",
			separatedBy:
				"Unique with the tenant (`src/schema.ts`). The account id carries the authority that named the person (`src/oauth/authority.ts`); SSO refuses the names of built-in and social providers.",
			test: { file: "packages/tenants/test/oauth/authority.security.test.ts", title: "has one authority" },
		},
		{
			name: "wallet address and nonce",
			sources: ["verification siwe:<24>", "by hand: siwe domain"],
			namespace: "signed messages: all tenants have one `domain`, so a message does not say its tenant",
			separatedBy:
				"The nonce in the message is one tenant's row, good once (`src/scope/adapter.ts`); wallets are read in the tenant.",
			test: NEIGHBOUR,
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
				"Credentials are found and challenges answered in the tenant alone (`src/scope/adapter.ts`); the cookie of a challenge is signed with the tenant's secret. User handles are random, so no authenticator replaces one tenant's passkey by another's. Origins are the application's: `passkey({ origin })`.",
			test: { file: "packages/tenants/test/compose/passkey.test.ts", title: "for users of the same name" },
		},
		{
			name: "TOTP issuer and label",
			sources: ["by hand: otpauth://totp/<issuer>:<email>"],
			namespace: "authenticator apps: entries of one email in two tenants look alike",
			separatedBy:
				"Nothing. The secrets differ and a code of another tenant is refused; some apps show or keep only one of two equal labels.",
			test: { file: "packages/tenants/test/compose/two-factor.test.ts", title: "and turned off" },
		},
	],
};
