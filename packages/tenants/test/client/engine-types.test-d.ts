import { betterAuth } from "better-auth";
import { createAuthClient } from "better-auth/client";
import { inferAdditionalFields, twoFactorClient } from "better-auth/client/plugins";
import { twoFactor } from "better-auth/plugins/two-factor";
import { describe, expectTypeOf, it } from "vitest";
import { tenantAuthClient } from "../../src/client.ts";
import { tenantAuth, withTenants } from "../../src/index.ts";

const person = { name: "Ada", email: "a@example.com", password: "x" };
const user = {
	additionalFields: {
		team: { type: "string", required: true },
		nickname: { type: "string", required: false },
		rank: { type: "number", input: false },
	},
} as const;

const plain = betterAuth({ plugins: [tenantAuth()] });
const fields = betterAuth({ user, plugins: [tenantAuth()] });
const second = betterAuth({ user, plugins: withTenants({}, [twoFactor()]) });

describe("auth.api", () => {
	it("signs in with the user and session of the engine's own sign-in", () => {
		const engine = () => second.api.signInEmail({ body: person });
		const tenant = () => second.api.signInTenantEmail({ body: { ...person, tenantId: "a" } });
		type Engine = Awaited<ReturnType<typeof engine>>;
		type InTenant = Awaited<ReturnType<typeof tenant>>;
		expectTypeOf<InTenant>().toExtend<Engine>();
		expectTypeOf<InTenant["user"]["team"]>().toEqualTypeOf<string>();
		expectTypeOf<InTenant["user"]>().toHaveProperty("twoFactorEnabled");
		expectTypeOf<InTenant["user"]["tenantId"]>().toEqualTypeOf<string>();
		expectTypeOf<InTenant["session"]["tenantId"]>().toEqualTypeOf<string>();
		expectTypeOf<InTenant["session"]["token"]>().toEqualTypeOf<string>();
		expectTypeOf<InTenant["twoFactorRedirect"]>().toEqualTypeOf<boolean | undefined>();
	});

	it("signs in without a second factor or additional fields", async () => {
		const signedIn = () => plain.api.signInTenantEmail({ body: person });
		expectTypeOf(signedIn).returns.resolves.toHaveProperty("token").toEqualTypeOf<string>();
		expectTypeOf<Awaited<ReturnType<typeof signedIn>>["user"]["email"]>().toEqualTypeOf<string>();
		expectTypeOf<Awaited<ReturnType<typeof signedIn>>["user"]>().not.toHaveProperty("twoFactorEnabled");
	});

	it("signs up with the fields of the application, and requires the required ones", () => {
		const body = { ...person, tenantId: "a", team: "blue" };
		const signedUp = () => fields.api.signUpTenantEmail({ body });
		type SignedUp = Awaited<ReturnType<typeof signedUp>>;
		expectTypeOf<SignedUp["user"]["team"]>().toEqualTypeOf<string>();
		expectTypeOf<SignedUp["user"]["tenantId"]>().toEqualTypeOf<string>();
		expectTypeOf<SignedUp["token"]>().toEqualTypeOf<string | null>();
		expectTypeOf<NonNullable<SignedUp["session"]>["tenantId"]>().toEqualTypeOf<string>();
		// @ts-expect-error the application requires a team
		void fields.api.signUpTenantEmail({ body: person });
		// @ts-expect-error a team is a text
		void fields.api.signUpTenantEmail({ body: { ...person, team: 1 } });
		void fields.api.signUpTenantEmail({ body: { ...body, nickname: "Countess" } });
	});

	it("returns headers, status or a Response if asked to", () => {
		const at = { body: person };
		expectTypeOf(plain.api.signInTenantEmail({ ...at, asResponse: true })).resolves.toEqualTypeOf<Response>();
		const withHeaders = () => plain.api.signInTenantEmail({ ...at, returnHeaders: true });
		expectTypeOf(withHeaders).returns.resolves.toHaveProperty("headers").toEqualTypeOf<Headers>();
		expectTypeOf<Awaited<ReturnType<typeof withHeaders>>["response"]["user"]["id"]>().toEqualTypeOf<string>();
		const withBoth = () => plain.api.signInTenantEmail({ ...at, returnHeaders: true, returnStatus: true });
		expectTypeOf(withBoth).returns.resolves.toHaveProperty("status").toEqualTypeOf<number>();
	});
});

describe("authClient", () => {
	const plainClient = createAuthClient({ plugins: [tenantAuthClient()] });
	const client = createAuthClient({
		plugins: [tenantAuthClient<typeof second>(), twoFactorClient(), inferAdditionalFields<typeof second>()],
	});

	it("signs in with the user and session of the engine's own sign-in", async () => {
		const engine = await client.signIn.email(person);
		const tenant = await client.tenant.signIn.email({ ...person, tenantId: "a" });
		type Engine = NonNullable<typeof engine.data>;
		type InTenant = NonNullable<typeof tenant.data>;
		expectTypeOf<InTenant["user"]>().toEqualTypeOf<Engine["user"]>();
		expectTypeOf<InTenant["user"]["team"]>().toEqualTypeOf<string>();
		expectTypeOf<InTenant["session"]>().toEqualTypeOf<typeof client.$Infer.Session.session>();
		const withoutFields = await plainClient.tenant.signIn.email(person);
		expectTypeOf<NonNullable<typeof withoutFields.data>["user"]["tenantId"]>().toEqualTypeOf<string>();
		expectTypeOf<NonNullable<typeof withoutFields.data>["session"]["tenantId"]>().toEqualTypeOf<string>();
	});

	it("signs up with the fields of the application, and requires the required ones", async () => {
		const signedUp = await client.tenant.signUp.email({ ...person, team: "blue" });
		expectTypeOf<NonNullable<typeof signedUp.data>["user"]["team"]>().toEqualTypeOf<string>();
		// @ts-expect-error the application requires a team
		void client.tenant.signUp.email(person);
		// without the application's type, its fields are accepted unchecked
		void plainClient.tenant.signUp.email({ ...person, team: "blue" });
	});

	it("accepts a tenant in the engine's own sign-up", async () => {
		const signedUp = await client.signUp.email({ ...person, team: "blue", tenantId: "a" });
		expectTypeOf<NonNullable<typeof signedUp.data>["user"]["email"]>().toEqualTypeOf<string>();
		void plainClient.signUp.email({ ...person, tenantId: "a" });
		// @ts-expect-error the application requires a team
		void client.signUp.email({ ...person, tenantId: "a" });
		// @ts-expect-error a tenant id is a text
		void client.signUp.email({ ...person, team: "blue", tenantId: 1 });
	});

	it("suggests the built-in providers and accepts others", () => {
		type Provider = Parameters<typeof client.tenant.signIn.social>[0]["provider"];
		expectTypeOf<"github">().toExtend<Provider>();
		expectTypeOf<Provider>().toEqualTypeOf<Parameters<typeof client.signIn.social>[0]["provider"]>();
	});

	it("names a tenant alike in get, update and delete", () => {
		void client.tenant.get({ query: { tenantId: "a" } });
		void client.tenant.update({ tenantId: "a", name: "Acme" });
		void client.tenant.delete({ tenantId: "a" });
	});
});
