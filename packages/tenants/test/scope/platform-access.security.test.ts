import { anonymous } from "better-auth/plugins/anonymous";
import { emailOTP } from "better-auth/plugins/email-otp";
import { magicLink } from "better-auth/plugins/magic-link";
import { Browser } from "test-kit/browser";
import { errorOf, globalProviders, startSocial, useIdentityProvider } from "test-kit/social";
import { createWorld, PASSWORD, type World, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant, withTenants } from "../../src/index.ts";

const idp = useIdentityProvider();
const person = { name: "Ada", email: "ada@example.com", password: PASSWORD };
const resolveTenantId = () => null;

const usersOf = async ({ database }: World): Promise<string[]> =>
	(await database.query('select "tenantId" from "user"')).map(({ tenantId }) => String(tenantId));

const withResolver = (more: WorldOptions["tenantAuth"] = {}): WorldOptions => ({
	tenantAuth: { management: { keys: ["test-management-key-0123456789abcdef"] }, resolveTenantId, ...more },
});

describe("the platform with a resolver", () => {
	// threat 92
	it("creates no user: not by email, social sign-in, magic link, one-time password or as a guest", async () => {
		const links: string[] = [];
		const codes: string[] = [];
		const plugins = [
			magicLink({ sendMagicLink: async ({ url }) => void links.push(url) }),
			emailOTP({ sendVerificationOTP: async ({ otp }) => void codes.push(otp) }),
			anonymous(),
		];
		const { tenantAuth = {} } = withResolver();
		const world = await createWorld({
			allPlugins: withTenants({ ...tenantAuth, oauth: { allowPrivateHosts: true } }, plugins),
			engine: { socialProviders: globalProviders(idp()) },
		});
		const tenant = await world.newTenant();
		const { email } = person;
		const signUp = await world.call("/sign-up/email", { body: person });
		expect([signUp.status, signUp.code]).toEqual([403, "PLATFORM_SIGN_UP_CLOSED"]);

		const social = await startSocial(world, idp(), undefined, { sub: "ada-1", email, name: "Ada" });
		expect(errorOf(await world.call(social.callback, { browser: social.browser }))).toBeTruthy();
		await world.call("/sign-in/magic-link", { body: { email, callbackURL: "/home" } });
		const browser = new Browser();
		await world.call(links[0] ?? "", { browser });
		await world.call("/email-otp/send-verification-otp", { body: { email, type: "sign-in" } });
		await world.call("/sign-in/email-otp", { browser, body: { email, otp: codes[0] } });
		await world.call("/sign-in/anonymous", { browser, body: {} });
		expect(await usersOf(world)).toEqual([]);
		expect((await world.call("/get-session", { browser })).json).toBeNull();

		// all of them work in a tenant
		expect((await world.call("/sign-in/anonymous", { tenant, browser, body: {} })).status).toBe(200);
		const own = await startSocial(world, idp(), tenant, { sub: "ada-1", email, name: "Ada" });
		expect((await world.call(own.callback, { browser: own.browser })).location).toBe("/home");
		expect(await usersOf(world)).toEqual([tenant, tenant]);
	});

	// threat 92
	it("does not reveal by its refusal which emails have an account", async () => {
		const requireVerification = { emailAndPassword: { enabled: true, requireEmailVerification: true } };
		const world = await createWorld({ ...withResolver(), engine: requireVerification });
		await world.auth.api.signUpEmail({ body: person });
		const known = await world.call("/sign-up/email", { body: person });
		const unknown = await world.call("/sign-up/email", { body: { ...person, email: "nobody@example.com" } });
		expect([known.status, known.json]).toEqual([403, unknown.json]);
	});

	it("lets server code create users, and existing users sign in", async () => {
		const world = await createWorld(withResolver());
		await world.auth.api.signUpEmail({ body: person });
		await runWithTenant("platform", () =>
			world.auth.api.signUpEmail({ body: { ...person, email: "grace@example.com" }, headers: new Headers() }),
		);
		expect(await usersOf(world)).toEqual(["platform", "platform"]);
		expect((await world.call("/sign-in/email", { body: person })).status).toBe(200);
		// a page of the application that passes on the headers of its visitor is no operator
		const passedOn = world.auth.api.signUpEmail({
			body: { ...person, email: "eve@example.com" },
			headers: new Headers({ cookie: "a=b" }),
		});
		await expect(passedOn).rejects.toMatchObject({ body: { code: "PLATFORM_SIGN_UP_CLOSED" } });
	});

	it("opens with platform.signUp, and is open without a resolver", async () => {
		const opened = await createWorld(withResolver({ platform: { signUp: true } }));
		expect((await opened.call("/sign-up/email", { body: person })).status).toBe(200);
		const plain = await createWorld();
		expect((await plain.call("/sign-up/email", { body: person })).status).toBe(200);
		const closed = await createWorld({ tenantAuth: { platform: { signUp: false } } });
		expect((await closed.call("/sign-up/email", { body: person })).code).toBe("PLATFORM_SIGN_UP_CLOSED");
	});

	// threat 92
	it("signs nobody in without platform.signIn, and does not reveal whether a password is right", async () => {
		const world = await createWorld({
			tenantAuth: { management: { keys: ["test-management-key-0123456789abcdef"] }, platform: { signIn: false } },
		});
		const tenant = await world.newTenant();
		await world.auth.api.signUpEmail({ body: person });
		const right = await world.call("/sign-in/email", { body: person });
		const wrong = await world.call("/sign-in/email", { body: { ...person, password: "wrong password" } });
		expect([right.status, right.code, right.json]).toEqual([403, "PLATFORM_SIGN_IN_CLOSED", wrong.json]);
		expect((await world.call("/sign-up/email", { body: { ...person, email: "x@example.com" } })).status).toBe(403);
		expect((await world.call("/sign-up/email", { tenant, body: person })).status).toBe(200);
		expect((await world.call("/sign-in/email", { tenant, body: person })).status).toBe(200);
	});

	// threat 92
	it("signs nobody in without platform.signIn in ways without a password", async () => {
		const links: string[] = [];
		const world = await createWorld({
			allPlugins: withTenants(
				{
					management: { keys: ["test-management-key-0123456789abcdef"] },
					oauth: { allowPrivateHosts: true },
					platform: { signIn: false },
				},
				[magicLink({ sendMagicLink: async ({ url }) => void links.push(url) })],
			),
			engine: { socialProviders: globalProviders(idp()) },
		});
		const tenant = await world.newTenant();
		const { email } = person;
		await world.auth.api.signUpEmail({ body: person });
		const signInByLink = async (tenantId?: string): Promise<Browser> => {
			const browser = new Browser();
			await world.call("/sign-in/magic-link", { tenant: tenantId, body: { email, callbackURL: "/home" } });
			await world.call(links.at(-1) ?? "", { browser });
			return browser;
		};
		const signInSocially = async (tenantId?: string): Promise<Browser> => {
			const { browser, callback } = await startSocial(world, idp(), tenantId, { sub: "ada-1", email, name: "Ada" });
			await world.call(callback, { browser });
			return browser;
		};
		await world.database.query('update "user" set "emailVerified" = 1');
		const before = await world.database.query('select "id" from "session"');
		for (const signIn of [signInByLink, signInSocially])
			expect((await world.call("/get-session", { browser: await signIn() })).json).toBeNull();
		expect(await world.database.query('select "id" from "session"')).toEqual(before);
		for (const signIn of [signInByLink, signInSocially])
			expect((await world.call("/get-session", { browser: await signIn(tenant) })).json.session.tenantId).toBe(tenant);
	});
});
