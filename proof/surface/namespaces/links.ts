import type { IdentifierGroup } from "./identifier.ts";

const SUITE = "proof/surface/suite.ts";
const LINKS = { file: SUITE, title: "follows another tenant's mail link or provider's redirect to that tenant only" };

/** Values that return from a mailbox, another device or another site, without a session and possibly without a hint. */
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
			namespace: "one URL for the links of all tenants",
			separatedBy:
				"The token is tagged with its tenant (`src/scope/request/mail-links.ts`) and only valid in that tenant's rows or with its secret. Two tokens in one request select no tenant (`src/scope/request/tagged-input.ts`).",
			test: LINKS,
		},
		{
			name: "token that deletes a user",
			sources: ["verification delete-account-<32>"],
			namespace: "one URL for all tenants",
			separatedBy: "Requires a session, and is a row of its tenant (`src/scope/data/adapter.ts`).",
			test: { file: SUITE, title: "reveals nothing of another tenant or the platform to a tenant's admin" },
		},
		{
			name: "one-time token",
			sources: ["carried /one-time-token/verify", "verification one-time-token:<32>"],
			namespace: "one URL for all tenants; found without a hint by an unscoped lookup",
			separatedBy:
				"Random, so it belongs to one tenant. It is verified in that tenant, and a hint for another takes precedence (`src/scope/request/credential-lookup.ts`, `src/scope/request/decide.ts`).",
			test: { file: "packages/tenants/test/compose/tokens.test.ts", title: "tokens that name their tenant" },
		},
		{
			name: "device code",
			sources: ["unique deviceCode(tenantId, deviceCode)", "carried /device/token"],
			namespace: "one URL for all tenants; found without a hint by an unscoped lookup",
			separatedBy:
				"Random. It is verified in the tenant that has it, and in none if two have it (`src/scope/request/credential-lookup.ts`).",
			test: { file: "packages/tenants/test/compose/tokens.test.ts", title: "a device code: polled without a hint" },
		},
		{
			name: "user code",
			sources: ["unique deviceCode(tenantId, userCode)", "carried /device"],
			namespace: "short codes that users type, for all tenants at one URL",
			separatedBy:
				"The session determines the tenant first, then the code; no tenant if two have it (`src/scope/request/decide.ts`, `src/scope/request/credential-lookup.ts`): a code of another tenant is not approved.",
			test: { file: SUITE, title: "reveals nothing of another tenant or the platform to a tenant's admin" },
		},
	],
};
