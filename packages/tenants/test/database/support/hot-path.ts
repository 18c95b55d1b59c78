import { Browser } from "test-kit/browser";
import type { IdentityProvider } from "test-kit/identity-provider";
import { registerClient, type Started, startSocial } from "test-kit/social";
import { type Answer, PASSWORD } from "test-kit/world";
import { listTenantPage } from "../../../src/index.ts";
import type { CrowdedWorld } from "./crowded-world.ts";

/** An action of users or operators; throws if it fails. */
type Flow = { name: string; act: () => Promise<void> };

const assertDone = (answer: Answer): void => {
	if (answer.status >= 400 || answer.location?.includes("error="))
		throw new Error(`${answer.status} ${answer.location ?? ""} ${answer.text}`);
};

/** Frequent actions, ordered so that each finds the rows it needs. */
export const hotPath = (world: CrowdedWorld, idp: IdentityProvider, tenant: string): Flow[] => {
	const email = `ada-${tenant}@example.com`;
	const person = { sub: `ada-${tenant}`, email: `social-${tenant}@example.com`, name: "Ada" };
	const browser = new Browser();
	const { call } = world;
	const operator = { operator: true };
	let started: Started;
	const start = async (): Promise<void> => {
		started = await startSocial(world, idp, tenant, person);
	};
	const comeBack = async (): Promise<void> => assertDone(await call(started.callback, { browser: started.browser }));
	const send =
		(path: string, options: () => Parameters<typeof call>[1]): Flow["act"] =>
		async () =>
			assertDone(await call(path, options()));
	/** simulates that most of the session's lifetime has passed */
	const ageSessions = async (): Promise<void> => {
		await world.database.query(
			`update session set "expiresAt" = now() + interval '1 hour' from "user" u where u.id = "userId" and u.email = '${email}'`,
		);
	};
	return [
		{ name: "a tenant that is not cached", act: send("/get-session", () => ({ tenant })) },
		// before the flows that leave its configs in the cache
		{ name: "sign-in methods", act: send("/tenant/methods", () => ({ query: { tenantId: tenant } })) },
		{
			name: "sign-up",
			act: send("/tenant/sign-up/email", () => ({
				body: { tenantId: tenant, name: "Ada", email, password: PASSWORD },
			})),
		},
		{
			name: "sign-up with a taken email",
			act: async () => {
				const body = { tenantId: tenant, name: "Ada", email, password: PASSWORD };
				const { status } = await call("/tenant/sign-up/email", { body });
				if (status !== 422) throw new Error(`a taken email returned ${status}`);
			},
		},
		{
			name: "sign-in",
			act: send("/tenant/sign-in/email", () => ({ browser, body: { tenantId: tenant, email, password: PASSWORD } })),
		},
		{ name: "get-session", act: send("/get-session", () => ({ browser })) },
		{ name: "list-sessions", act: send("/list-sessions", () => ({ browser })) },
		{
			name: "get-session that renews",
			act: async () => {
				await ageSessions();
				await send("/get-session", () => ({ browser }))();
			},
		},
		{ name: "sign-out", act: send("/sign-out", () => ({ browser, body: {} })) },
		{
			name: "password reset requested",
			act: send("/request-password-reset", () => ({ tenant, body: { email, redirectTo: "/new-password" } })),
		},
		{
			// the engine deletes expired rows when it looks up such a link
			name: "password reset link opened",
			act: async () => assertDone(await call(world.lastMail("reset").url)),
		},
		{
			name: "new password",
			act: send("/reset-password", () => ({
				body: { newPassword: `${PASSWORD} staple`, token: world.lastMail("reset").token },
			})),
		},
		{
			name: "OAuth config registered",
			act: async () => void (await registerClient(world, idp, tenant, `client-${tenant}`)),
		},
		{
			// the tenant's cloned secret does not decrypt and would break a list
			name: "OAuth config replaced",
			act: send("/tenant/oauth-config/register", () => ({
				...operator,
				body: { tenantId: tenant, providerId: "google", clientId: "google", clientSecret: PASSWORD },
			})),
		},
		{ name: "social start", act: start },
		{ name: "callback of a new user", act: comeBack },
		{ name: "social start again", act: start },
		{ name: "callback of an existing user", act: comeBack },
		{ name: "OAuth configs listed", act: send("/tenant/oauth-config/list", () => ({ ...operator, tenant })) },
		{ name: "tenant by id", act: send("/tenant/get", () => ({ ...operator, query: { id: tenant } })) },
		{ name: "tenant by slug", act: send("/tenant/get", () => ({ ...operator, query: { slug: "tenant-7" } })) },
		{ name: "tenants, first page", act: send("/tenant/list", () => operator) },
		{
			name: "tenants, deep page",
			act: async () => {
				// all tenants of the crowd have the time of the tenant that they were copied from
				const { tenants } = await listTenantPage(world.auth);
				const cursor = btoa(`${tenants.at(-1)?.createdAt.getTime()}.${"8".repeat(32)}`);
				await send("/tenant/list", () => ({ ...operator, query: { cursor } }))();
			},
		},
	];
};
