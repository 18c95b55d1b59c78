import type { IdentifierGroup } from "./identifier.ts";

const COOKIES = {
	file: "proof/surface/foreign-cookies.security.test.ts",
	title: "reveals nothing of another tenant for",
};
const TRUSTED = { file: "proof/surface/foreign-cookies.security.test.ts", title: "requires the second factor" };

/** All tenants on one host share its cookies. */
export const SESSIONS: IdentifierGroup = {
	title: "Sessions and cookies",
	identifiers: [
		{
			name: "session token",
			sources: [
				"unique session.token",
				"cookie session_token",
				"storage <32><tag>",
				// the mark says what the session has proven
				"storage admin-<32><tag>",
				"storage factor-<32><tag>",
				"storage active-sessions-<32>",
				"storage limit.lock:active-sessions-<32>",
				"storage active-sessions-",
			],
			since1718: { adds: ["storage revoked-sessions-before-<43>"] },
			namespace: "one cookie and one bearer header for all tenants of a host; storage keys",
			separatedBy:
				"The token names its tenant (`src/scope/sessions/sessions.ts`), the cookie is signed with that tenant's secret (`src/scope/secrets/secrets.ts`), and a hint for another tenant is refused (`src/scope/request/decide.ts`). Storage keys start with the tenant (`src/scope/data/storage.ts`).",
			test: {
				file: "packages/tenants/test/scope/sessions.security.test.ts",
				title: "is rejected with a hint for another tenant",
			},
		},
		{
			name: "inactive sessions of multi-session",
			sources: [
				"cookie session_token_multi-<32><tag>",
				"cookie session_token_multi-admin-<32><tag>",
				"cookie session_token_multi-factor-<32><tag>",
				"cookie session_token_multi-passkey-<32><tag>",
			],
			namespace: "cookie names of a host: each contains its session token",
			separatedBy: "Tokens are random and name their tenant; only sessions of the request's tenant are found.",
			test: COOKIES,
		},
		{
			name: "cached session and account",
			sources: ["cookie session_data", "cookie account_data"],
			namespace: "one cookie for all tenants of a host",
			separatedBy:
				"Signed or encrypted with the tenant's secret (`src/scope/secrets/secrets.ts`). `src/cookies.ts` compares the tenant and the token.",
			test: {
				file: "packages/tenants/test/cookies/cookies.security.test.ts",
				title: "ignores a cache of another tenant",
			},
		},
		{
			name: "cookies of a sign-in in progress",
			sources: [
				"cookie two_factor",
				"verification 2fa-<20>",
				"verification 2fa-otp-2fa-<20>",
				"verification 2fa-attempts-2fa-<20>",
				"verification second-factor-method-2fa-<20>",
				"verification 2fa-otp-<32>!<32>",
			],
			namespace: "one cookie for all tenants of a host",
			separatedBy: "Signed with the tenant's secret; the challenge is the tenant's row (`src/scope/data/adapter.ts`).",
			test: COOKIES,
		},
		{
			name: "end of a user's sessions",
			sources: ["verification role-raised-<32>"],
			namespace: "identifiers of verifications: each contains a user id",
			separatedBy: "It is the tenant's row, and users of other tenants have other ids (`src/scope/data/adapter.ts`).",
			test: {
				file: "packages/tenants/test/admin/ended-meanwhile.security.test.ts",
				title: "gives no session if meanwhile",
			},
		},
		{
			name: "trusted device",
			sources: ["cookie trust_device"],
			namespace: "one cookie for all tenants of a host",
			separatedBy: "Names one user and is signed with the tenant's secret (`src/scope/secrets/secrets.ts`).",
			test: TRUSTED,
		},
		{
			name: "admin's own session while impersonating",
			sources: ["cookie admin_session"],
			namespace: "one cookie for all tenants of a host",
			separatedBy: "Signed with the tenant's secret. It contains a session token, which names its tenant.",
			test: COOKIES,
		},
		{
			name: "tenant of a challenge",
			sources: ["cookie tenant_flow"],
			namespace: "one cookie for all tenants of a host",
			separatedBy: "It names a tenant like any hint, and grants no access (`src/scope/request/flow-cookie.ts`).",
			test: { file: "packages/tenants/test/scope/ids.security.test.ts", title: "forget a challenge of a tenant" },
		},
		{
			name: "password of a sign-up",
			sources: ["cookie tenant_sign_up"],
			namespace: "one cookie for all tenants of a host",
			separatedBy:
				"Names one password and is signed with the tenant's secret (`src/features/unproven/sign-up-cookie.ts`).",
			test: {
				file: "packages/tenants/test/unproven/own-browser.security.test.ts",
				title: "removes the password, with %s",
			},
		},
		{
			name: "note of a removed password",
			sources: ["cookie tenant_password_removed"],
			namespace: "one cookie for all tenants of a host",
			separatedBy: "Contains the tenant's id, and nothing relies on it (`src/features/unproven/sign-up-cookie.ts`).",
			test: {
				file: "packages/tenants/test/unproven/own-browser.security.test.ts",
				title: "removes the password, with %s",
			},
		},
		{
			name: "preferences",
			sources: ["cookie dont_remember", "cookie last_used_login_method"],
			namespace: "one cookie for all tenants of a host",
			separatedBy:
				"`dont_remember` is signed with the tenant's secret. `last_used_login_method`: nothing; it contains the name of a method and is only read by pages.",
			test: COOKIES,
		},
	],
};
