import { symmetricEncrypt } from "better-auth/crypto";
import { Browser } from "test-kit/browser";
import {
	errorOf,
	globalProviders,
	registerClient,
	signInSocially,
	startSocial,
	useIdentityProvider,
} from "test-kit/social";
import { createWorld, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { useRogueServer } from "./support/rogue-server.ts";
import { ada, createPair, register, start } from "./support/two-tenants.ts";

const idp = useIdentityProvider();
const { rogue, signInByRogue } = useRogueServer();

describe("a tenant's own credentials", () => {
	it("keep the application's settings for the provider", async () => {
		const global = { ...globalProviders(idp()).gitlab, disableSignUp: true };
		const world = await createWorld({ engine: { socialProviders: { gitlab: global } } });
		const tenantId = await world.newTenant();
		expect(errorOf((await signInSocially(world, idp(), tenantId, ada)).answer)).toBe("signup_disabled");
		await registerClient(world, idp(), tenantId, "own-client");
		expect(errorOf((await signInSocially(world, idp(), tenantId, ada)).answer)).toBe("signup_disabled");
	});

	// threat 56
	it("close one provider if they do not decrypt, not the tenant, and do not fall back", async () => {
		const world = await createWorld({ engine: { socialProviders: globalProviders(idp()) } });
		const tenantId = await world.newTenant();
		await registerClient(world, idp(), tenantId, "own-client");
		await world.database.query(`update "tenantOauthConfig" set "clientSecret" = 'lost'`);
		await world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "spotify" } });
		const start = (provider: string) => world.call("/tenant/sign-in/social", { body: { tenantId, provider } });
		expect(await start("gitlab")).toMatchObject({ status: 500, code: "OAUTH_CONFIG_UNREADABLE" });
		expect((await start("microsoft")).status).toBe(200);
		const browser = await world.signUp(tenantId, ada.email);
		expect((await world.call("/account-info", { browser, query: { accountId: "x" } })).status).toBe(400);
		expect(
			(await world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "gitlab" } }))
				.status,
		).toBe(200);
	});

	// threat 8
	it("admit 50 concurrent first sign-ins of one user, and redeem each code once", async () => {
		const world = await createWorld({ database: "postgres" });
		const tenantId = await world.newTenant();
		await registerClient(world, idp(), tenantId, "parallel-client");
		const flows = await Promise.all(Array.from({ length: 50 }, () => startSocial(world, idp(), tenantId, ada)));
		const before = idp().tokenRequests.length;
		const answers = await Promise.all(flows.map(({ browser, callback }) => world.call(callback, { browser })));
		expect(answers.map(({ location }) => location)).toEqual(Array.from({ length: 50 }, () => "/home"));
		expect(idp().tokenRequests.length - before).toBe(50);
	});

	it("create one session per callback, whatever error the application's URL contains", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		const browser = new Browser();
		const callbackURL = "/home?error=unable_to_create_user";
		const started = await world.call("/tenant/sign-in/social", {
			browser,
			body: { tenantId, provider: "gitlab", callbackURL },
		});
		expect((await world.call(await idp().authorize(started.json.url, ada), { browser })).location).toBe(callbackURL);
		expect(await world.database.query('select count(*) as n from "session"')).toEqual([{ n: 1 }]);
	});
});

const SECRET = "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe";

/** Writes the column directly and invalidates the cache, as a management call does. */
const paste = async (world: World, tenantId: string, value: string) => {
	await world.database.query(
		`update "tenantOauthConfig" set "clientSecret" = '${value}' where "tenantId" = '${tenantId}'`,
	);
	await world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "spotify" } });
};

describe("a client secret that was not sealed for its row", () => {
	// threat 57
	it("does not decrypt: plain text, or text encrypted with the same secret for another purpose", async () => {
		const { world, a, b } = await createPair();
		expect(world.options.secret).toBe(SECRET);
		for (const tenantId of [a, b]) await register(world, tenantId, "github");
		const encrypt = (data: unknown) =>
			symmetricEncrypt({ key: SECRET, data: typeof data === "string" ? data : JSON.stringify(data) });
		const place = { tenantId: a, providerId: "github", field: "clientSecret" };
		const pasted: [string, string][] = [
			["plain text", "a secret in plain text"],
			["nothing", ""],
			["plain JSON of the sealed form", JSON.stringify({ v: 1, ...place, write: "w", value: "x" })],
			["an encrypted text", await encrypt("secret")],
			["an encrypted state", await encrypt({ callbackURL: "/", codeVerifier: "x", expiresAt: 1, oauthState: "s" })],
			["no version", await encrypt({ ...place, write: "w", value: "x" })],
			["no place", await encrypt({ v: 1, write: "w", value: "x" })],
			["another field", await encrypt({ v: 1, ...place, field: "clientId", write: "w", value: "x" })],
			["another tenant", await encrypt({ v: 1, ...place, tenantId: b, write: "w", value: "x" })],
			["no text", await encrypt({ v: 1, ...place, write: "w", value: { toString: "x" } })],
			["a list", await encrypt([{ v: 1, ...place, write: "w", value: "x" }])],
			["null", await encrypt("null")],
		];
		for (const [name, value] of pasted) {
			await paste(world, a, value);
			const answer = await start(world, a, "github");
			expect([name, answer.status, answer.code]).toEqual([name, 500, "OAUTH_CONFIG_UNREADABLE"]);
			expect([name, answer.json.url, answer.location]).toEqual([name, undefined, null]);
			expect((await start(world, b, "github")).status).toBe(200);
		}
	});

	// threat 57
	it("does not decrypt: a token in the sealed form, encrypted for a tenant's own server", async () => {
		const { world, a, b } = await createPair({ engine: { account: { encryptOAuthTokens: true } } });
		await register(world, a, "gitlab", { options: { issuer: rogue.issuer } });
		await register(world, b, "gitlab", { options: { issuer: rogue.issuer } });
		for (const target of [a, b]) {
			rogue.accessToken = JSON.stringify({
				v: 1,
				tenantId: target,
				providerId: "gitlab",
				field: "clientSecret",
				write: "w",
				value: "chosen by the attacker",
			});
			const profile = { id: `for-${target}`, email: `${target.toLowerCase()}@example.com`, email_verified: true };
			expect((await signInByRogue(world, a, profile)).answer.location).toBe("/home");
			const [account] = await world.database.query(
				`select "accessToken" from "account" where "accountId" like 'for-${target}%'`,
			);
			expect(String(account?.accessToken)).toMatch(/^(?:\$ba\$\d+\$)?[0-9a-f]+$/);
			const [kept] = await world.database.query(
				`select "clientSecret" from "tenantOauthConfig" where "tenantId" = '${target}'`,
			);
			await paste(world, target, String(account?.accessToken));
			expect(await start(world, target, "gitlab")).toMatchObject({ status: 500, code: "OAUTH_CONFIG_UNREADABLE" });
			await paste(world, target, String(kept?.clientSecret));
		}
	});

	// threat 56
	it("is logged in one line that names tenant and provider, and no secret", async () => {
		const { world, a, b } = await createPair();
		for (const tenantId of [a, b]) await register(world, tenantId, "github", { clientId: "client-id-of-a-tenant" });
		const [theirs] = await world.database.query(
			`select "clientId", "clientSecret" from "tenantOauthConfig" where "tenantId" = '${b}'`,
		);
		const logged = world.logs.length;
		await paste(world, a, String(theirs?.clientSecret));
		for (let time = 0; time < 3; time += 1)
			expect((await start(world, a, "github")).code).toBe("OAUTH_CONFIG_UNREADABLE");
		expect((await start(world, b, "github")).status).toBe(200);
		const lines = world.logs.slice(logged);
		const told = lines.filter((line) => line.includes(a));
		expect(told).toEqual([expect.stringMatching(/^error [^\r\n]*$/)]);
		expect(told[0]).toContain("github");
		for (const secret of [theirs?.clientId, theirs?.clientSecret, "client-id-of-a-tenant", SECRET, b]) {
			expect(lines.filter((line) => line.includes(String(secret)))).toEqual([]);
		}
	});
});
