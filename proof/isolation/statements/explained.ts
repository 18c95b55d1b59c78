import type { Statement } from "./find-statements.ts";

/** A statement that no test can notice, and why that is right. */
type Explained = {
	/** below src/ */
	file: string;
	/** how the statement begins, on one line */
	text: string;
	/** which of equal statements in the file */
	nth?: number;
	/** what else rejects the same, or why it is never reached */
	why: string;
};

/** Survivors that stay: second lines of defense, and what cannot happen while another check is there. */
export const EXPLAINED: Explained[] = [
	{
		file: "engine/rate-limit-storage.ts",
		text: "throw error;",
		why: "No version that is tested counts a request after its plugins have seen it. One that does would respond by itself.",
	},
	{
		file: "features/admin/owner-guard.ts",
		text: "await holdOpen(tenantId);",
		why: "Without it, two changes may lock each other's owners, and the database ends one of them with an error. No change is wrong.",
	},
	{
		file: "features/rights/guard-rights.ts",
		text: "await hold.holdActors(rights);",
		why: "In a tenant, only /tenant/user/remove deletes another user, in a transaction in which it has locked who asks for it.",
	},
	{
		file: "features/rights/hold-actors.ts",
		text: "throw ended();",
		nth: 1,
		why: "A request that acts as a user has seen them. So there is always a sight.",
	},
	{
		file: "features/rights/hold-actors.ts",
		text: "throw ended();",
		nth: 2,
		why: "The guard of users refuses the update before, with the same code.",
	},
	{
		file: "features/rights/hold-users.ts",
		text: "throw ended();",
		nth: 3,
		why: "A request that acts as a user has seen them. So the lock of the row fails before, with the same code.",
	},
	{
		file: "features/admin/create-user.ts",
		text: "throw exists();",
		why: "The unique index rejects the email as well, with the same code.",
	},
	{
		file: "features/invitations/accept-as-new-user.ts",
		text: "throw signInRequired();",
		nth: 2,
		why: "The unique index rejects the address as well, with the same code. This only saves the hash.",
	},
	{
		file: "features/invitations/find-by-token.ts",
		text: "throw notFound();",
		nth: 1,
		why: "The platform has no invitations. So the lookup finds none, with the same code.",
	},
	{
		file: "features/invitations/invitations.ts",
		text: "throw new BetterAuthError(",
		why: "Never reached: only endpoints of the plugin call it, and the plugin sets what they read.",
	},
	{
		file: "features/policy/policies.ts",
		text: "throw new BetterAuthError(",
		why: "Never reached: only endpoints and hooks of the plugin call it, and the plugin sets what they read.",
	},
	{
		file: "features/oauth/reencrypt.ts",
		text: "throw new Error(",
		why: "Never reached: the list of tables is a constant with entries.",
	},
	{
		file: "features/oauth/tenant-callback.ts",
		text: 'throw ctx.redirect(errorURL(ctx, "state_not_found"));',
		why: "Better Auth's callback redirects without a state as well, with the same error.",
	},
	{
		file: "features/oauth/test-oauth-config.ts",
		text: 'throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.INVALID_CALLBACK_URL);',
		why: "Better Auth rejects a callbackURL that cannot be parsed before, because its origin is not trusted.",
	},
	{
		file: "features/oauth/verify-flow.ts",
		text: "obeyAuthority(",
		why: "oauth/bounded-provider.ts takes the emails of such a provider for unverified. So Better Auth links none.",
	},
	{
		file: "features/oauth/observed-provider.ts",
		text: "throw error;",
		why: "Better Auth takes missing tokens for a failed exchange as well.",
	},
	{
		file: "scope/data/adapter.ts",
		text: "await scopeWith.assertOpen();",
		why: "Every query inside the transaction asserts the same. This only lets the result be cached.",
	},
	{
		file: "features/handler/request-context.ts",
		text: 'throw new BetterAuthError("Could not resolve base URL',
		why: "Never reached: with a request, Better Auth's resolveBaseURL returns a URL or throws.",
	},
	{
		file: "features/handler/request-context.ts",
		text: 'throw new BetterAuthError("Could not get base URL',
		why: "Never reached: with a request, Better Auth's getBaseURL returns a URL or throws.",
	},
	{
		file: "features/oauth/observed-provider.ts",
		text: 'throw new APIError("FOUND"',
		why: "Without it, Better Auth gets no user either, and redirects with an error. The outcome of the test is already known.",
	},
	{
		file: "features/oauth/sign-in-social.ts",
		text: 'throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.PROVIDER_NOT_FOUND);',
		why: "Better Auth's sign-in does not find the provider either, with the same code.",
	},
	{
		file: "features/rows/prisma.ts",
		text: 'throw rowError("ROW_QUERY_NOT_SUPPORTED", operation);',
		nth: 1,
		why: "Only raw SQL has no model, and its operations are rejected as unknown as well, with the same code.",
	},
	{
		file: "features/testing/assert-tenant-isolation.ts",
		text: 'throw new Error("assertTenantIsolation: two tenants are required");',
		why: "Never reached: makeSides creates both tenants or throws.",
	},
];

export const explains = ({ file, text, nth = 1 }: Explained, statement: Statement): boolean =>
	statement.file === file && statement.text.startsWith(text) && statement.nth === nth;

export const whyOf = (statement: Statement): string | null =>
	EXPLAINED.find((one) => explains(one, statement))?.why ?? null;
