import { betterAuth } from "better-auth";
import { createAuthClient } from "better-auth/client";
import { twoFactorClient } from "better-auth/client/plugins";
import { twoFactor } from "better-auth/plugins/two-factor";
import { expectTypeOf, it } from "vitest";
import { TENANT_AUTH_ERROR_CODES, tenantAuthClient } from "../../src/client.ts";
import {
	type CurrentTenant,
	type ExportedUser,
	type ImportedUsers,
	listTenantPage,
	type OauthConfig,
	TENANT_AUTH_ERROR_CODES as SERVER_ERROR_CODES,
	type SignInMethods,
	type Tenant,
	type TenantPage,
	tenantAuth,
	withTenants,
} from "../../src/index.ts";

const client = createAuthClient({ plugins: [tenantAuthClient({ tenantId: () => "a" }), twoFactorClient()] });

it("types every endpoint by inference", async () => {
	const made = await client.tenant.create({ name: "Acme", slug: "acme", metadata: { plan: "gold" } });
	expectTypeOf(made.data).exclude(null).toExtend<Tenant>();
	const found = await client.tenant.get({ query: { slug: "acme" } });
	expectTypeOf(found.data).exclude(null).toExtend<Tenant>();
	const listed = await client.tenant.list({ query: { limit: 10 } });
	expectTypeOf(listed.data).exclude(null).toExtend<Tenant[]>();
	const page = await client.tenant.listPage({ limit: 10 });
	expectTypeOf(page.data).exclude(null).toEqualTypeOf<TenantPage>();
	expectTypeOf(page.error).exclude(null).toHaveProperty("code");
	const updated = await client.tenant.update({ tenantId: "a", name: "Acme" });
	expectTypeOf(updated.data).exclude(null).toExtend<Tenant>();
	const methods = await client.tenant.methods({ query: { tenantId: "a" } });
	expectTypeOf(methods.data).exclude(null).toExtend<SignInMethods>();
	const current = await client.tenant.current();
	expectTypeOf(current.data).exclude(null).toExtend<CurrentTenant>();
	expectTypeOf(current.data).exclude(null).toHaveProperty("branding").toExtend<{ logo?: string | undefined }>();
	const removed = await client.tenant.delete({ tenantId: "a" });
	expectTypeOf(removed.data).exclude(null).toExtend<{ success: boolean }>();

	const impersonated = await client.tenant.impersonate({ tenantId: "a", userId: "u", reason: "ticket 4711" });
	expectTypeOf(impersonated.data).exclude(null).toHaveProperty("token").toEqualTypeOf<string>();
	expectTypeOf(impersonated.data).exclude(null).toHaveProperty("session");

	const brought = await client.tenant.import({
		id: "a",
		name: "Acme",
		slug: "acme",
		createdAt: "2001-02-03T04:05:06Z",
	});
	expectTypeOf(brought.data).exclude(null).toExtend<{ tenant: Tenant; existing: boolean }>();
	const exported = await client.tenant.exportUsers({ query: { tenantId: "a", limit: 1000 } });
	expectTypeOf(exported.data).exclude(null).toExtend<ExportedUser[]>();
	// a response is valid input
	const imported = await client.tenant.importUsers({ tenantId: "b", users: exported.data ?? [] });
	expectTypeOf(imported.data).exclude(null).toExtend<ImportedUsers>();

	const registered = await client.tenant.oauthConfig.register({
		providerId: "github",
		clientId: "c",
		clientSecret: "s",
		scopes: ["x"],
	});
	expectTypeOf(registered.data).exclude(null).toExtend<OauthConfig>();
	// the secret is accepted and never returned
	expectTypeOf(registered.data).exclude(null).not.toHaveProperty("clientSecret");
	const configs = await client.tenant.oauthConfig.list({ query: { tenantId: "a" } });
	expectTypeOf(configs.data).exclude(null).toExtend<OauthConfig[]>();
	const tested = await client.tenant.oauthConfig.test({ providerId: "github", callbackURL: "/admin" });
	expectTypeOf(tested.data).exclude(null).toEqualTypeOf<{ url: string }>();
	// @ts-expect-error the page that shows the result is required
	await client.tenant.oauthConfig.test({ providerId: "github" });
	const forgotten = await client.tenant.oauthConfig.delete({ providerId: "github" });
	expectTypeOf(forgotten.data).exclude(null).toExtend<{ success: boolean }>();

	const started = await client.tenant.signIn.social({
		provider: "github",
		callbackURL: "/",
		errorCallbackURL: "/failed",
	});
	expectTypeOf(started.data).exclude(null).toExtend<{ url: string; redirect: boolean }>();
	const signedUp = await client.tenant.signUp.email({
		name: "Ada",
		email: "a@example.com",
		password: "x",
		rememberMe: false,
	});
	expectTypeOf(signedUp.data).exclude(null).toHaveProperty("session");
	expectTypeOf(signedUp.data).exclude(null).toHaveProperty("token").toEqualTypeOf<string | null>();
	const signedIn = await client.tenant.signIn.email({ tenantId: "a", email: "a@example.com", password: "x" });
	expectTypeOf(signedIn.error).exclude(null).toHaveProperty("code");
});

it("types a page of tenants on the server", () => {
	const auth = betterAuth({ plugins: [tenantAuth()] });
	expectTypeOf(listTenantPage(auth, { limit: 10, cursor: "x" })).resolves.toEqualTypeOf<TenantPage>();
});

it("rejects wrong input at compile time", () => {
	// @ts-expect-error impersonation requires a reason
	void client.tenant.impersonate({ tenantId: "a", userId: "u" });
	// @ts-expect-error a user requires a name
	void client.tenant.importUsers({ tenantId: "a", users: [{ email: "ada@example.com" }] });
	// @ts-expect-error a tenant requires a slug
	void client.tenant.create({ name: "Acme" });
	// @ts-expect-error a provider id is a string
	void client.tenant.signIn.social({ provider: 1 });
});

it("adds tenantId to users and sessions, on the server and in the client", () => {
	const auth = betterAuth({ plugins: [tenantAuth()] });
	expectTypeOf<(typeof auth.$Infer.Session)["session"]>().toHaveProperty("tenantId").toEqualTypeOf<string>();
	expectTypeOf<(typeof auth.$Infer.Session)["user"]>().toHaveProperty("tenantId").toEqualTypeOf<string>();
	expectTypeOf<(typeof client.$Infer.Session)["session"]>().toHaveProperty("tenantId").toEqualTypeOf<string>();
});

it("keeps the types of composed plugins", () => {
	const auth = betterAuth({ plugins: withTenants({}, [twoFactor()]) });
	expectTypeOf(auth.api).toHaveProperty("enableTwoFactor");
	expectTypeOf(auth.api).toHaveProperty("createTenant");
	expectTypeOf<(typeof auth.$Infer.Session)["user"]>().toHaveProperty("twoFactorEnabled");
	expectTypeOf<(typeof auth.$Infer.Session)["user"]>().toHaveProperty("tenantId");
});

it("exports the error codes", () => {
	expectTypeOf(TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND.code).toEqualTypeOf<"TENANT_NOT_FOUND">();
	expectTypeOf(client.$ERROR_CODES).toHaveProperty("SESSION_TENANT_MISMATCH");
	// codes that no browser receives stay on the server
	expectTypeOf(SERVER_ERROR_CODES.TRANSFER_DISABLED.code).toEqualTypeOf<"TRANSFER_DISABLED">();
	expectTypeOf(TENANT_AUTH_ERROR_CODES).not.toHaveProperty("TRANSFER_DISABLED");
});
