import { betterAuth } from "better-auth";
import { twoFactor } from "better-auth/plugins";
import {
	createTenantHandler,
	type currentTenantId,
	limitConcurrency,
	listTenantPage,
	type MovedUsers,
	moveUsersToTenant,
	type OauthConfig,
	PLATFORM,
	runWithTenant,
	type TENANT_AUTH_ERROR_CODES,
	type Tenant,
	type TenantAuthOptions,
	type TenantPage,
	tenantActivity,
	tenantAuth,
	tenantMigrationSteps,
	tenantTriggerSteps,
	withTenants,
} from "better-auth-tenants";
import { same } from "./same.ts";

const options: TenantAuthOptions = {
	tenantHeader: "x-tenant",
	management: { keys: ["a key of 32 characters or more …"] },
};
// @ts-expect-error there is no such option
export const misspelled: TenantAuthOptions = { tenantHeadr: "x-tenant" };

export const plain = betterAuth({ plugins: [tenantAuth(options)] });
export const composed = betterAuth({
	user: { additionalFields: { team: { type: "string", required: true } } },
	plugins: withTenants(options, [twoFactor()]),
});

export const manage = async () => {
	const made = await plain.api.createTenant({ body: { name: "Acme", slug: "acme", metadata: { plan: "gold" } } });
	same<typeof made.id, string>(true);
	const tenant: Tenant = made;
	// @ts-expect-error a tenant requires a slug
	await plain.api.createTenant({ body: { name: "Acme" } });
	// @ts-expect-error there is no such endpoint
	await plain.api.createTenants({ body: { name: "Acme", slug: "acme" } });
	const config: OauthConfig = await plain.api.registerTenantOauthConfig({
		body: { tenantId: tenant.id, providerId: "github", clientId: "c", clientSecret: "s" },
	});
	// @ts-expect-error the secret is accepted and never returned
	config.clientSecret;
	const page: TenantPage = await listTenantPage(plain, { limit: 10 });
	same<typeof page.nextCursor, string | null>(true);
	await plain.api.deleteTenant({ body: { tenantId: tenant.id } });
	return config.providerId;
};

export const signIn = async (headers: Headers) => {
	const credentials = { tenantId: "acme-id", email: "ada@example.com", password: "correct horse battery" };
	const signedIn = await plain.api.signInTenantEmail({ body: credentials });
	same<typeof signedIn.user.tenantId, string>(true);
	same<typeof signedIn.session.tenantId, string>(true);
	const signedUp = await composed.api.signUpTenantEmail({ body: { ...credentials, name: "Ada", team: "blue" } });
	same<typeof signedUp.user.team, string>(true);
	// @ts-expect-error the application requires a team
	await composed.api.signUpTenantEmail({ body: { ...credentials, name: "Ada" } });
	// the endpoints of a composed plugin, and of the engine itself
	await composed.api.enableTwoFactor({ body: { password: "correct horse battery" }, headers });
	const session = await composed.api.getSession({ headers });
	same<NonNullable<typeof session>["user"]["tenantId"], string>(true);
	// @ts-expect-error a user has no such field
	session?.user.tenant;
};

type Session = typeof plain.$Infer.Session;
same<Session["user"]["tenantId"], string>(true);
same<Session["session"]["tenantId"], string>(true);
// @ts-expect-error the tenant is a text
same<Session["user"]["tenantId"], number>(true);

export const serve = async (request: Request) => {
	const bounded = limitConcurrency({ ...plain, handler: createTenantHandler(plain) }, { perTenant: 10 });
	same<ReturnType<typeof bounded>, Promise<Response>>(true);
	return bounded(request);
};

export const inside = async () => {
	const moved: MovedUsers = await moveUsersToTenant(plain, { from: PLATFORM, to: "acme-id", userIds: ["u"] });
	same<typeof moved.moved, number>(true);
	same<ReturnType<typeof currentTenantId>, string | null>(true);
	const length = await runWithTenant({ auth: plain, slug: "acme" }, () => "acme".length);
	same<typeof length, number>(true);
	for (const step of await tenantMigrationSteps(plain)) same<typeof step, string>(true);
	for (const step of await tenantTriggerSteps(plain)) same<typeof step, string>(true);
	same<typeof TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND.code, "TENANT_NOT_FOUND">(true);
	return tenantActivity(plain);
};
