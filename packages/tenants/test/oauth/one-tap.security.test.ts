import { oneTap } from "better-auth/plugins";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { createWorld, type World, type WorldOptions } from "test-kit/world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const GOOGLE_KEYS = "https://www.googleapis.com/oauth2/v3/certs";
const network = globalThis.fetch;
let privateKey: CryptoKey;

beforeAll(async () => {
	const pair = await generateKeyPair("RS256");
	privateKey = pair.privateKey;
	const keys = [{ ...(await exportJWK(pair.publicKey)), kid: "google", alg: "RS256", use: "sig" }];
	globalThis.fetch = async (input, init) =>
		String(input instanceof Request ? input.url : input) === GOOGLE_KEYS
			? Response.json({ keys })
			: network(input, init);
});
afterAll(() => {
	globalThis.fetch = network;
});

/** An ID token as Google signs it for a client. */
const idTokenFor = (audience: string, claims: JWTPayload = {}): Promise<string> =>
	new SignJWT({ email: "ada@acme.com", email_verified: true, name: "Ada", sub: "4711", ...claims })
		.setProtectedHeader({ alg: "RS256", kid: "google" })
		.setIssuer("https://accounts.google.com")
		.setAudience(audience)
		.setIssuedAt()
		.setExpirationTime("5m")
		.sign(privateKey);

const GLOBAL = { clientId: "global-client", clientSecret: "global-secret" };

const registerGoogle = (world: World, tenantId: string, more: object = {}) =>
	world.call("/tenant/oauth-config/register", {
		operator: true,
		body: {
			tenantId,
			providerId: "google",
			clientId: "acme-client",
			clientSecret: canarySecret("acme"),
			options: { hd: "acme.com" },
			...more,
		},
	});

/** Two tenants. The first has its own Google client for one Workspace domain. */
const createTwo = async ({ engine, ...options }: WorldOptions = {}, config: object = {}) => {
	const world = await createWorld({
		plugins: [oneTap()],
		...options,
		engine: { socialProviders: { google: GLOBAL }, ...engine },
	});
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	expect((await registerGoogle(world, a, config)).status).toBe(200);
	const tap = async (tenant: string | undefined, idToken: string) => {
		const browser = new Browser();
		const answer = await world.call("/one-tap/callback", { tenant, browser, body: { idToken } });
		const session = (await world.call("/get-session", { browser })).json;
		return {
			status: answer.status,
			code: answer.code,
			userId: session?.user?.id,
			tenantId: session?.session?.tenantId,
		};
	};
	const people = () => world.database.query('select "tenantId", "email" from "user" order by "tenantId", "email"');
	const accounts = () => world.database.query('select "tenantId", "providerId", "accountId", "userId" from "account"');
	return { world, a, b, tap, people, accounts };
};

const atAcme = { hd: "acme.com" };

describe("One Tap in a tenant with its own Google client", () => {
	// threat 75
	it("accepts tokens for that client and Workspace domain only", async () => {
		const { a, b, tap, people } = await createTwo();
		const strangers: [string, Promise<string>][] = [
			["the application's client", idTokenFor("global-client")],
			["the application's client, of the domain", idTokenFor("global-client", atAcme)],
			["no domain", idTokenFor("acme-client")],
			["another domain", idTokenFor("acme-client", { hd: "globex.com" })],
			["any domain", idTokenFor("acme-client", { hd: "*" })],
			["a third client", idTokenFor("other-client", atAcme)],
		];
		for (const [name, token] of strangers)
			expect([name, await tap(a, await token)]).toMatchObject([name, { status: 400, userId: undefined }]);
		expect(await people()).toEqual([]);

		const own = await idTokenFor("acme-client", atAcme);
		expect(await tap(a, own)).toMatchObject({ status: 200, tenantId: a });
		// the other tenant and the platform use the application's client and reject it
		for (const other of [b, undefined]) expect(await tap(other, own)).toMatchObject({ status: 400 });
		expect(await people()).toEqual([{ tenantId: a, email: "ada@acme.com" }]);
		expect(await tap(b, await idTokenFor("global-client"))).toMatchObject({ status: 200, tenantId: b });
		expect(await tap(undefined, await idTokenFor("global-client"))).toMatchObject({
			status: 200,
			tenantId: "platform",
		});
	});

	// threat 75
	it("finds users by the account that the tenant's Google sign-in created", async () => {
		const { world, a, b, tap, accounts } = await createTwo();
		for (const [tenant, client] of [
			[a, "acme-client"],
			[b, "global-client"],
		] as const) {
			const token = await idTokenFor(client, atAcme);
			const { userId } = await tap(tenant, token);
			const body = { provider: "google", idToken: { token } };
			const social = await world.call("/sign-in/social", { tenant, body });
			expect([social.status, social.json.user.id]).toEqual([200, userId]);
		}
		const known = await accounts();
		expect(known.map(({ tenantId, accountId }) => [tenantId, accountId]).sort()).toEqual(
			[
				[a, "4711"],
				[b, "4711"],
			].sort(),
		);
	});

	// threat 75
	it("links no user because the application trusts Google by name", async () => {
		const { world, a, b, tap, accounts } = await createTwo({
			engine: { account: { accountLinking: { trustedProviders: ["google"] } } },
		});
		for (const tenant of [a, b]) await world.signUp(tenant, "ada@acme.com");
		await world.database.query('update "user" set "emailVerified" = 1');
		const unverified = { ...atAcme, email_verified: false };
		expect(await tap(a, await idTokenFor("acme-client", unverified))).toMatchObject({ status: 401 });
		expect(await tap(b, await idTokenFor("global-client", unverified))).toMatchObject({ status: 401 });
		expect(new Set((await accounts()).map(({ providerId }) => providerId))).toEqual(new Set(["credential"]));
		// like a Google sign-in, for which Google verified the address
		expect(await tap(a, await idTokenFor("acme-client", atAcme))).toMatchObject({ status: 200, tenantId: a });
		expect((await accounts()).filter(({ providerId }) => providerId === "google")).toMatchObject([{ tenantId: a }]);
	});

	it("creates no account if the application's Google provider disables sign-up", async () => {
		const { a, b, tap, people } = await createTwo({
			engine: { socialProviders: { google: { ...GLOBAL, disableSignUp: true } } },
		});
		expect(await tap(a, await idTokenFor("acme-client", atAcme))).toMatchObject({ status: 401 });
		expect(await tap(b, await idTokenFor("global-client"))).toMatchObject({ status: 401 });
		expect(await people()).toEqual([]);
	});

	// threat 75
	it("is closed while the credentials do not decrypt, and falls back to the application's if they are disabled", async () => {
		const { world, a, b, tap, people } = await createTwo({ tenantAuth: { tenantCache: { maxAge: 0 } } as never });
		await world.database.query(`update "tenantOauthConfig" set "clientId" = 'nonsense'`);
		for (const client of ["global-client", "acme-client"])
			expect(await tap(a, await idTokenFor(client, atAcme))).toMatchObject({
				status: 500,
				code: "OAUTH_CONFIG_UNREADABLE",
			});
		expect(await people()).toEqual([]);
		expect(await tap(b, await idTokenFor("global-client"))).toMatchObject({ status: 200, tenantId: b });

		// the order of sign-in: an enabled config, then the application's
		await registerGoogle(world, a, { enabled: false });
		expect(await tap(a, await idTokenFor("acme-client", atAcme))).toMatchObject({ status: 400 });
		expect(await tap(a, await idTokenFor("global-client"))).toMatchObject({ status: 200, tenantId: a });
	});

	// threat 75
	it("is closed if oneTap() has its own client id, and logs to remove it", async () => {
		const { world, a, b, tap, people } = await createTwo({ plugins: [oneTap({ clientId: "tap-client" })] });
		for (const client of ["tap-client", "acme-client", "global-client"])
			expect(await tap(a, await idTokenFor(client, atAcme))).toMatchObject({ status: 404, code: "PROVIDER_NOT_FOUND" });
		expect(await people()).toEqual([]);
		expect(world.logs.join("\n")).toMatch(/oneTap\(\{ clientId \}\).*Remove `clientId` from/s);
		expect(await tap(b, await idTokenFor("tap-client"))).toMatchObject({ status: 200, tenantId: b });
	});
});
