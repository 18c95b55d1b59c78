import { passkey } from "@better-auth/passkey";
import { sso } from "@better-auth/sso";
import { anonymous, emailOTP, magicLink, oneTap, phoneNumber, siwe, username } from "better-auth/plugins";
import { canarySecret } from "test-kit/canary";
import { composedWorld } from "test-kit/composed-world";
import { createWorld, ORIGIN, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { PLATFORM, runWithTenant } from "../../src/index.ts";

const register = (world: World, tenantId: string, providerId: string, enabled = true) =>
	world.call("/tenant/oauth-config/register", {
		operator: true,
		body: { tenantId, providerId, clientId: "secret-client-id", clientSecret: canarySecret("methods"), enabled },
	});

const OFF = { enabled: false };
const NO_PLUGINS = {
	sso: [],
	oneTap: OFF,
	magicLink: { ...OFF, signUp: false },
	emailOtp: { ...OFF, signUp: false },
	phoneNumber: { ...OFF, signUp: false },
	username: OFF,
	passkey: OFF,
	anonymous: OFF,
	siwe: OFF,
};

describe("the sign-in methods of a tenant", () => {
	// threat 54
	it("are public, without ids or secrets, in the application's order and then by name", async () => {
		const global = { clientId: "global-client-id", clientSecret: canarySecret("global") };
		const world = await createWorld({ engine: { socialProviders: { google: global, github: global } } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const provider of ["twitch", "apple", "github"]) await register(world, a, provider);
		await register(world, a, "spotify", false);
		const methods = (tenantId?: string) => world.call("/tenant/methods", tenantId ? { query: { tenantId } } : {});
		const answer = await methods(a);
		expect(answer.json).toEqual({
			email: { enabled: true, signUp: true },
			providers: [
				{ id: "google", name: "Google" },
				{ id: "github", name: "GitHub" },
				{ id: "apple", name: "Apple" },
				{ id: "twitch", name: "Twitch" },
			],
			...NO_PLUGINS,
		});
		expect(answer.text).not.toContain("client-id");
		expect(answer.headers.get("cache-control")).toBe("public, max-age=60");
		expect(answer.headers.get("vary")).toBe("x-tenant-id");
		const plain = await methods(b);
		expect(plain.json.providers.map(({ id }) => id)).toEqual(["google", "github"]);
		// threat 37: an unknown tenant responds like one without its own providers, unless it is malformed
		expect((await methods("no-such-tenant")).json).toEqual(plain.json);
		expect((await methods()).json).toEqual(plain.json);
		expect((await world.call("/tenant/methods", { tenant: a })).json).toEqual(answer.json);
	});

	it("follow the requested tenant, for every caller", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await register(world, b, "github");
		const browser = await world.signUp(a, "ada@example.com");
		expect((await world.call("/tenant/methods", { browser, query: { tenantId: b } })).json.providers).toEqual([
			{ id: "github", name: "GitHub" },
		]);
	});

	it("show whether email and sign-up are off", async () => {
		const off = await createWorld({ engine: { emailAndPassword: { enabled: false } } });
		expect((await off.call("/tenant/methods")).json.email).toEqual({ enabled: false, signUp: false });
		const closed = await createWorld({ engine: { emailAndPassword: { enabled: true, disableSignUp: true } } });
		expect((await closed.call("/tenant/methods")).json.email).toEqual({ enabled: true, signUp: false });
	});

	it("respond to an invalid id where ids are uuids, and without a tenant", async () => {
		const world = await createWorld({
			database: "postgres",
			engine: { advanced: { disableOriginCheck: false, database: { generateId: "uuid" } } },
		});
		const queries: Record<string, string>[] = [{ tenantId: "nope" }, {}];
		for (const query of queries) expect((await world.call("/tenant/methods", { query })).status).toBe(200);
	});

	// threat 37
	// `pnpm isolation` measures the time of both
	it("take one query less for an unknown tenant than for a known one, and respond alike", async () => {
		const world = await createWorld({ database: "postgres", tenantAuth: { tenantCache: { maxAge: 0 } } });
		const known = await world.newTenant();
		const ask = async (tenantId: string) => {
			world.database.statements.length = 0;
			const { status, text } = await world.call("/tenant/methods", { query: { tenantId } });
			return { answer: [status, text], statements: [...world.database.statements] };
		};
		await ask(known);
		const [there, missing] = [await ask(known), await ask("unknown")];
		expect(missing.answer).toEqual(there.answer);
		expect(missing.statements).toEqual(there.statements.slice(0, 1));
		expect(there.statements).toHaveLength(2);
	});

	it("contain those of the mounted plugins, without an extra query", async () => {
		const send = async () => {};
		const on = { enabled: true };
		const world = await composedWorld([
			magicLink({ sendMagicLink: send, disableSignUp: true }),
			emailOTP({ sendVerificationOTP: send }),
			phoneNumber({ sendOTP: send }),
			username(),
			passkey({ rpID: "localhost", origin: ORIGIN }),
			anonymous(),
			siwe({ domain: "localhost", getNonce: async () => "nonce", verifyMessage: async () => true }),
		]);
		const methods = { ...on, signUp: true };
		for (const tenantId of [world.a, world.b]) {
			await world.call("/tenant/methods", { query: { tenantId } });
			world.database.statements.length = 0;
			expect((await world.call("/tenant/methods", { query: { tenantId } })).json).toEqual({
				email: methods,
				providers: [],
				...NO_PLUGINS,
				magicLink: { ...on, signUp: false },
				emailOtp: methods,
				phoneNumber: { ...on, signUp: false },
				username: on,
				passkey: on,
				anonymous: on,
				siwe: on,
			});
			expect(world.database.statements).toEqual([]);
		}
	});

	it("offer One Tap only where its Google client is accepted", async () => {
		const google = { clientId: "global-client-id", clientSecret: canarySecret("global") };
		const offers = async (world: World, tenantId: string) =>
			(await world.call("/tenant/methods", { query: { tenantId } })).json.oneTap;
		const fixed = await composedWorld([oneTap({ clientId: "fixed" })], { engine: { socialProviders: { google } } });
		await register(fixed, fixed.a, "google");
		expect([await offers(fixed, fixed.a), await offers(fixed, fixed.b)]).toEqual([OFF, { enabled: true }]);
		const open = await composedWorld([oneTap()]);
		await register(open, open.a, "google");
		expect([await offers(open, open.a), await offers(open, open.b)]).toEqual([{ enabled: true }, OFF]);
	});

	// threat 54
	it("list a tenant's own verified SSO providers, and never those of another tenant", async () => {
		const world = await composedWorld([sso({ domainVerification: { enabled: true } })]);
		const { a, b } = world;
		const { adapter } = await world.auth.$context;
		const add = (tenantId: string, providerId: string, domainVerified = true) =>
			runWithTenant(tenantId, () =>
				adapter.create({
					model: "ssoProvider",
					data: { providerId, issuer: `https://${providerId}.example`, domain: "acme.example", domainVerified },
				}),
			);
		for (const providerId of ["okta", "azure"]) await add(a, providerId);
		await add(a, "unverified", false);
		await add(b, "globex-idp");
		await add(PLATFORM, "staff");
		const listed = async (tenantId?: string) => {
			const { json, text } = await world.call("/tenant/methods", tenantId ? { query: { tenantId } } : {});
			expect(text).not.toContain("example");
			return json.sso;
		};
		expect(await listed(a)).toEqual([{ id: "azure" }, { id: "okta" }]);
		expect(await listed(b)).toEqual([{ id: "globex-idp" }]);
		expect(await listed()).toEqual([{ id: "staff" }]);
		expect(await listed("no-such-tenant")).toEqual([]);
		// for every caller: a session of one tenant shows nothing of it in another
		const browser = await world.signUp(a, "ada@example.com");
		const seen = await world.call("/tenant/methods", { browser, query: { tenantId: b } });
		expect(seen.json.sso).toEqual([{ id: "globex-idp" }]);
		await world.call("/tenant/delete", { operator: true, body: { tenantId: a } });
		expect(await listed(a)).toEqual([]);
	});
});
