import { apiKey } from "@better-auth/api-key";
import { passkey } from "@better-auth/passkey";
import { betterAuth } from "better-auth";
import { organization, phoneNumber, twoFactor, username } from "better-auth/plugins";
import { expectTypeOf, it } from "vitest";
import { tenantMigrationSteps, withTenants } from "../../src/index.ts";

const auth = betterAuth({
	plugins: withTenants({}, [
		organization({ teams: { enabled: true } }),
		passkey(),
		twoFactor(),
		username(),
		phoneNumber(),
		apiKey(),
	]),
});
type Session = typeof auth.$Infer.Session;

it("keeps every endpoint of the composed plugins, with input and response types", () => {
	const endpoints = [
		"createOrganization",
		"createTeam",
		"generatePasskeyRegistrationOptions",
		"enableTwoFactor",
		"signInUsername",
		"signInPhoneNumber",
		"createApiKey",
		"verifyApiKey",
		"createTenant",
		"signUpTenantEmail",
		"signInEmail",
	] as const;
	for (const endpoint of endpoints) expectTypeOf(auth.api).toHaveProperty(endpoint);
	const organizations = () => auth.api.createOrganization({ body: { name: "Board", slug: "board" } });
	expectTypeOf(organizations).returns.resolves.exclude(null).toHaveProperty("slug").toEqualTypeOf<string>();
	const keys = () => auth.api.verifyApiKey({ body: { key: "k" } });
	expectTypeOf(keys).returns.resolves.toHaveProperty("valid").toEqualTypeOf<boolean>();
	// @ts-expect-error an organization requires a slug
	void auth.api.createOrganization({ body: { name: "Board" } });
	// @ts-expect-error the plugin is not composed
	void auth.api.createOAuthClient;
});

it("adds tenantId to users and sessions, beside the fields of the composed plugins", () => {
	expectTypeOf<Session["user"]["tenantId"]>().toEqualTypeOf<string>();
	expectTypeOf<Session["session"]["tenantId"]>().toEqualTypeOf<string>();
	expectTypeOf<Session["user"]>().toHaveProperty("username");
	expectTypeOf<Session["user"]>().toHaveProperty("phoneNumber");
	expectTypeOf<Session["user"]>().toHaveProperty("twoFactorEnabled");
	expectTypeOf<Session["session"]>().toHaveProperty("activeOrganizationId");
	expectTypeOf<Session["session"]>().toHaveProperty("activeTeamId");
});

it("keeps the types that plugins infer, and their error codes", () => {
	expectTypeOf<typeof auth.$Infer.Organization>().toHaveProperty("slug").toEqualTypeOf<string>();
	expectTypeOf(auth.$ERROR_CODES).toHaveProperty("ORGANIZATION_ALREADY_EXISTS");
	expectTypeOf(auth.$ERROR_CODES).toHaveProperty("TENANT_NOT_FOUND");
});

it("accepts no tenantId in the input for a user", () => {
	const user = { name: "Ada", email: "ada@example.com", password: "x" };
	void auth.api.signUpEmail({ body: { ...user, username: "ada" } });
	// @ts-expect-error the tenant comes from the request
	void auth.api.signUpEmail({ body: { ...user, tenantId: "a" } });
});

it("accepts a Better Auth instance for the migration steps", () => {
	expectTypeOf(tenantMigrationSteps(auth)).resolves.toEqualTypeOf<string[]>();
});
