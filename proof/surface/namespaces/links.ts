import type { IdentifierGroup } from "./identifier.ts";

const SUITE = "proof/surface/suite.ts";
const LINKS = { file: SUITE, title: "follows a neighbour's mail link or provider's redirect to him alone" };

/** What comes back from a mailbox, another device or another site, without a session and maybe without a hint. */
export const LINKS_AND_CODES: IdentifierGroup = {
	title: "Links, codes and one-time tokens",
	identifiers: [
		{
			name: "token in a mail link",
			sources: [
				"path /reset-password/:token",
				"carried /reset-password/:token",
				"carried /reset-password",
				"carried /verify-email",
				"carried /magic-link/verify",
				"verification reset-password:<24>",
				"verification magic-link:<32>",
			],
			namespace: "one address for the links of all tenants",
			separatedBy:
				"The token is tagged with its tenant (`src/scope/mail-links.ts`) and good in that tenant's rows or with its secret alone. Two tokens in one request name no tenant (`src/scope/tagged-input.ts`).",
			test: LINKS,
		},
		{
			name: "token that deletes a user",
			sources: ["verification delete-account-<32>"],
			namespace: "one address for all tenants",
			separatedBy: "Needs a session, and is a row of its tenant (`src/scope/adapter.ts`).",
			test: { file: SUITE, title: "gives a tenant's admin nothing of a neighbour or the platform" },
		},
		{
			name: "one-time token",
			sources: ["carried /one-time-token/verify", "verification one-time-token:<32>"],
			namespace: "one address for all tenants; found without a hint by an unscoped look-up",
			separatedBy:
				"Random, so one tenant's row; it is verified in that tenant, and a hint for another wins (`src/scope/credential-lookup.ts`, `src/scope/decide.ts`).",
			test: { file: "packages/tenants/test/compose/tokens.test.ts", title: "tokens that name their tenant" },
		},
		{
			name: "device code",
			sources: ["unique deviceCode(tenantId, deviceCode)", "carried /device/token"],
			namespace: "one address for all tenants; found without a hint by an unscoped look-up",
			separatedBy:
				"Random; verified in the tenant that has it, and in none if two have it (`src/scope/credential-lookup.ts`).",
			test: { file: "packages/tenants/test/compose/tokens.test.ts", title: "a device code: polled without a hint" },
		},
		{
			name: "user code",
			sources: ["unique deviceCode(tenantId, userCode)", "carried /device"],
			namespace: "short codes that people type, for all tenants at one address",
			separatedBy:
				"The session says the tenant first, then the code, and no tenant if two have it (`src/scope/decide.ts`, `src/scope/credential-lookup.ts`): a code of another tenant is not approved.",
			test: { file: SUITE, title: "gives a tenant's admin nothing of a neighbour or the platform" },
		},
	],
};
