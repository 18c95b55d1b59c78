import { canarySecret } from "test-kit/canary";
import { useIdentityProvider } from "test-kit/social";
import { createWorld, ORIGIN, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";

const idp = useIdentityProvider();

const register = (world: World, body: Record<string, unknown>) =>
	world.call("/tenant/oauth-config/register", {
		operator: true,
		body: { providerId: "github", clientId: "the client id", clientSecret: canarySecret("config"), ...body },
	});

describe("registering an OAuth config", () => {
	// threat 54
	it("returns the config without the secret, enabled by default", async () => {
		const world = await createWorld();
		const tenantId = await world.newTenant();
		const made = await register(world, { tenantId, scopes: ["read:user"] });
		expect(made.json).toEqual({
			tenantId,
			providerId: "github",
			clientId: "the client id",
			readable: true,
			scopes: ["read:user"],
			redirectURI: null,
			callbackURL: `${ORIGIN}/api/auth/tenant/callback/github`,
			callbackURLs: [`${ORIGIN}/api/auth/tenant/callback/github`],
			enabled: true,
			createdAt: expect.any(String),
			updatedAt: expect.any(String),
		});
	});

	it("updates the tenant's config and keeps the other tenant's", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await register(world, { tenantId: a });
		await register(world, { tenantId: b });
		await register(world, { tenantId: a, clientId: "changed", enabled: false });
		const list = async (tenantId: string) =>
			(await world.call("/tenant/oauth-config/list", { operator: true, query: { tenantId } })).json;
		expect(await list(a)).toEqual([expect.objectContaining({ tenantId: a, clientId: "changed", enabled: false })]);
		expect(await list(b)).toEqual([expect.objectContaining({ tenantId: b, clientId: "the client id", enabled: true })]);
	});

	it("rejects providers that are not built in, untrusted redirect URIs, and unknown options", async () => {
		const world = await createWorld({ tenantAuth: { oauth: { allowPrivateHosts: false } } });
		const tenantId = await world.newTenant();
		const refused: [Record<string, unknown>, string][] = [
			[{ providerId: "no-such-provider" }, "UNSUPPORTED_PROVIDER"],
			[{ providerId: "__proto__" }, "UNSUPPORTED_PROVIDER"],
			[{ providerId: "constructor" }, "UNSUPPORTED_PROVIDER"],
			// threat 22
			[{ redirectURI: "https://evil.example/callback" }, "INVALID_REDIRECT_URI"],
			[{ redirectURI: "http://example.com/callback" }, "INVALID_REDIRECT_URI"],
			[{ redirectURI: "javascript:alert(1)" }, "INVALID_REDIRECT_URI"],
			[{ redirectURI: "http://user:pass@localhost:3000/x" }, "INVALID_REDIRECT_URI"],
			[{ options: { redirectURI: "https://evil.example" } }, "INVALID_PROVIDER_OPTIONS"],
			[{ options: { clientSecret: "another" } }, "INVALID_PROVIDER_OPTIONS"],
			// threat 23
			...[
				"http://gitlab.example.com",
				"https://127.0.0.1",
				"https://169.254.169.254",
				"https://[::1]",
				"https://localhost",
				"https://10.0.0.1",
			].map((issuer): [Record<string, unknown>, string] => [
				{ providerId: "gitlab", options: { issuer } },
				"INVALID_PROVIDER_OPTIONS",
			]),
		];
		for (const [body, code] of refused) {
			const answer = await register(world, { tenantId, ...body });
			expect([body, answer.status, answer.code]).toEqual([body, 400, code]);
		}
		expect((await register(world, { tenantId, redirectURI: "http://localhost:3000/custom/callback" })).status).toBe(
			200,
		);
		expect(
			(await register(world, { tenantId, providerId: "gitlab", options: { issuer: "https://gitlab.example.com" } }))
				.status,
		).toBe(200);
	});

	it("uses a custom redirect URI in the authorization request", async () => {
		const world = await createWorld();
		const tenantId = await world.newTenant();
		await register(world, { tenantId, redirectURI: "http://localhost:3000/custom/callback" });
		const started = await world.call("/tenant/sign-in/social", { body: { tenantId, provider: "github" } });
		expect(new URL(started.json.url).searchParams.get("redirect_uri")).toBe("http://localhost:3000/custom/callback");
	});

	// threat 56
	it("decrypts no ciphertext that was moved to another tenant, provider or field", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const places: [string, string][] = [
			[a, "github"],
			[a, "gitlab"],
			[b, "github"],
		];
		for (const [tenantId, providerId] of places) {
			await register(world, { tenantId, providerId, ...(providerId === "gitlab" ? { options: idp().gitlab } : {}) });
		}
		const sealed = async (tenantId: string, providerId: string) =>
			(
				await world.database.query(
					`select * from "tenantOauthConfig" where "tenantId" = '${tenantId}' and "providerId" = '${providerId}'`,
				)
			)[0] ?? {};
		const original = await sealed(a, "github");
		const write = (field: string, value: unknown) =>
			world.database.query(`update "tenantOauthConfig" set "${field}" = '${value}' where "id" = '${original.id}'`);
		const moved: [string, unknown][] = [
			["clientSecret", (await sealed(b, "github")).clientSecret],
			["clientSecret", (await sealed(a, "gitlab")).clientSecret],
			["clientSecret", original.clientId],
			["clientId", (await sealed(b, "github")).clientId],
			["clientId", "not sealed at all"],
		];
		for (const [field, value] of moved) {
			await write(field, value);
			const [list, started] = [
				await world.call("/tenant/oauth-config/list", { operator: true, query: { tenantId: a } }),
				await createFreshStart(world, a),
			];
			expect([field, started.status, started.code]).toEqual([field, 500, "OAUTH_CONFIG_UNREADABLE"]);
			const listed = list.json.find(({ providerId }: { providerId: string }) => providerId === "github");
			expect([field, list.status, listed?.readable]).toEqual([field, 200, false]);
			expect(listed?.clientId).toBe(field === "clientId" ? null : "the client id");
			await write(field, original[field]);
		}
		expect((await createFreshStart(world, a)).status).toBe(200);
	});

	// threat 56
	it("lists a config that cannot be decrypted as unreadable, next to the others, until it is registered again", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const tenantId of [a, b]) {
			await register(world, { tenantId });
			await register(world, { tenantId, providerId: "gitlab", options: { issuer: "https://gitlab.acme.example" } });
		}
		const list = async (tenantId: string) =>
			(await world.call("/tenant/oauth-config/list", { operator: true, query: { tenantId } })).json;
		const [before, theirs] = [await list(a), await list(b)];
		for (const field of ["clientId", "clientSecret", "options"])
			await world.database.query(
				`update "tenantOauthConfig" set "${field}" = 'lost' where "tenantId" = '${a}' and "providerId" = 'gitlab'`,
			);
		const [github, gitlab] = [before[0], { ...before[1], clientId: null, readable: false }];
		expect(await list(a)).toEqual([github, gitlab]);
		expect(await list(b)).toEqual(theirs);
		const again = await register(world, { tenantId: a, providerId: "gitlab", options: null });
		expect(again.json).toMatchObject({ clientId: "the client id", readable: true });
		expect(await list(a)).toEqual([github, again.json]);
	});

	it("registers for open tenants only", async () => {
		const world = await createWorld();
		for (const tenantId of ["nobody", "platform"]) {
			expect(await register(world, { tenantId })).toMatchObject({ status: 404, code: "TENANT_NOT_FOUND" });
		}
		expect(await register(world, {})).toMatchObject({ status: 400, code: "TENANT_ID_REQUIRED" });
	});
});

describe("deleting an OAuth config", () => {
	// threat 49
	it("returns OAUTH_CONFIG_NOT_FOUND for another tenant's config and keeps it", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await register(world, { tenantId: b });
		const remove = (tenantId: string) =>
			world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "github" } });
		expect(await remove(a)).toMatchObject({ status: 404, code: "OAUTH_CONFIG_NOT_FOUND" });
		expect((await world.database.query('select count(*) as n from "tenantOauthConfig"'))[0]?.n).toBe(1);
		expect((await remove(b)).json).toEqual({ success: true });
		expect(await remove(b)).toMatchObject({ status: 404, code: "OAUTH_CONFIG_NOT_FOUND" });
	});
});

describe.each(["postgres", "mysql"] as const)("concurrent registrations on %s", (database) => {
	// threat 48
	it("create one row from 100 registrations of one tenant and provider", async () => {
		const world = await createWorld({ database });
		const tenantId = await world.newTenant();
		const answers = await Promise.all(
			Array.from({ length: 100 }, (_, n) => register(world, { tenantId, clientId: `client ${n}` })),
		);
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
		const rows = await world.call("/tenant/oauth-config/list", { operator: true, query: { tenantId } });
		expect(rows.json.length).toBe(1);
		expect(rows.json[0]?.clientId).toMatch(/^client \d+$/);
	});
});

/** Starts a sign-in after a management call invalidated the cached credentials. */
const createFreshStart = async (world: World, tenantId: string) => {
	await world.call("/tenant/oauth-config/delete", { operator: true, body: { tenantId, providerId: "spotify" } });
	return world.call("/tenant/sign-in/social", { body: { tenantId, provider: "github" } });
};
